/* The HTTP endpoints of the site. Addresses are relative, so that a context path works. */

export const MAX_UPLOAD = 20 * 1024 * 1024;

export const photoUrl = (photo) => `photos/${photo.id}`;

export const thumbnailUrl = (photo, size) => `${photoUrl(photo)}/${size}`;

export const fetchGallery = async () => answer(await fetch('photos?limit=24'));

export const fetchQueues = async () => answer(await fetch('queues'));

export const fetchCensus = async () => answer(await fetch('census'));

export async function uploadPhoto(file) {
  const form = new FormData();
  form.append('file', file);
  return answer(await fetch('photos', { method: 'POST', body: form }));
}

export async function makeDemoPhotos(count) {
  return answer(await fetch(`demo?photos=${count}`, { method: 'POST' }));
}

async function answer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(body.detail ?? `The server answered ${response.status}.`);
  }
  return body;
}
