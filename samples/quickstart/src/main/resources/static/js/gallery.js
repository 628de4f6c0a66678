/* Shows photos, and changes only what has changed. */

import { thumbnailUrl } from './api.js';

const list = document.querySelector('#gallery');
const template = document.querySelector('#card');
const cards = new Map();

export function showPhotos(photos, total) {
  document.querySelector('#empty').hidden = total > 0;
  document.querySelector('#shown').textContent = total > photos.length ? `${photos.length} of ${total}` : '';
  removeAllBut(new Set(photos.map((photo) => photo.id)));
  photos.forEach((photo, index) => {
    const card = cards.get(photo.id) ?? addCard(photo);
    if (list.children[index] !== card) {
      list.insertBefore(card, list.children[index] ?? null);
    }
    update(card, photo);
  });
}

function removeAllBut(ids) {
  for (const [id, card] of cards) {
    if (!ids.has(id)) {
      card.remove();
      cards.delete(id);
    }
  }
}

function addCard(photo) {
  const card = template.content.firstElementChild.cloneNode(true);
  card.querySelector('.name').textContent = photo.name;
  card.querySelector('.name').title = photo.name;
  cards.set(photo.id, card);
  return card;
}

function update(card, photo) {
  const text = attemptText(photo);
  if (card.dataset.state === photo.state && card.dataset.text === text) {
    return;
  }
  card.dataset.state = photo.state;
  card.dataset.text = text;
  card.title = photo.error ?? '';
  card.querySelector('.badge').textContent = photo.state;
  const attempt = card.querySelector('.attempt');
  attempt.textContent = text;
  attempt.hidden = !text;
  if (photo.state === 'ready') {
    showThumbnail(card, photo);
  }
}

function showThumbnail(card, photo) {
  const image = card.querySelector('img');
  image.src = thumbnailUrl(photo, 'medium');
  image.alt = photo.name;
  card.querySelector('.picture').href = thumbnailUrl(photo, 'large');
}

function attemptText({ state, attempt, maxAttempts, error }) {
  if (!error) {
    return '';
  }
  if (state === 'working') {
    return `Attempt ${attempt} of ${maxAttempts}`;
  }
  const next = attempt < maxAttempts ? 'Runs again soon.' : 'Now in the dead set.';
  return `${error}. Attempt ${attempt} of ${maxAttempts}. ${next}`;
}
