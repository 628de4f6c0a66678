import { fetchGallery, makeDemoPhotos } from './api.js';
import { showPhotos } from './gallery.js';
import { announce, showContactSheet, showCounts } from './status.js';
import { acceptFiles } from './upload.js';

const BUSY = 1000;
const IDLE = 5000;
/* Longer than the contact sheet takes after the last photo. */
const STAY_BUSY = 8000;

const notice = document.querySelector('#notice');
const demo = document.querySelector('#demo');

let busyUntil = 0;
let timer;
let refreshing = false;
let again = false;

function showProblem(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

async function refresh() {
  if (refreshing) {
    again = true;
    return;
  }
  clearTimeout(timer);
  refreshing = true;
  try {
    show(await fetchGallery());
    offline(false);
  }
  catch {
    offline(true);
  }
  refreshing = false;
  if (!document.hidden) {
    timer = setTimeout(refresh, again ? 0 : pause());
  }
  again = false;
}

function pause() {
  return Date.now() < busyUntil ? BUSY : IDLE;
}

function refreshOften() {
  busyUntil = Date.now() + STAY_BUSY;
  return refresh();
}

function show({ photos, counts, contactSheet }) {
  const total = Object.values(counts).reduce((sum, count) => sum + count);
  showCounts(counts, total);
  showPhotos(photos, total);
  showContactSheet(contactSheet);
  const open = counts.queued + counts.working;
  const retrying = photos.some((photo) => photo.state === 'failed' && photo.attempt < photo.maxAttempts);
  announce(open > 0 ? 'Making thumbnails.' : `${counts.ready} photos ready, ${counts.failed} failed.`);
  if (open > 0 || retrying) {
    busyUntil = Date.now() + STAY_BUSY;
  }
}

function offline(yes) {
  if (yes) {
    notice.dataset.offline = 'true';
    showProblem('The site does not answer. Trying again.');
  }
  else if (notice.dataset.offline) {
    delete notice.dataset.offline;
    showProblem('');
  }
}

acceptFiles(document.querySelector('#upload'), refreshOften, showProblem);

demo.addEventListener('click', async () => {
  demo.disabled = true;
  showProblem('');
  try {
    await makeDemoPhotos(200);
    await refreshOften();
  }
  catch (error) {
    showProblem(error.message);
  }
  demo.disabled = false;
});

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) {
    refresh();
  }
});

refresh();
