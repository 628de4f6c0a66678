/* Explains why a photo has no thumbnails. */

import { photoUrl } from './api.js';

const dialog = document.querySelector('#failure');

export function attemptText({ failure, state }) {
  return `${failure.message}. Attempt ${failure.attempt} of ${failure.maxAttempts}${state === 'working' ? ', trying again' : ''}`;
}

export function showFailure(photo) {
  const { failure } = photo;
  dialog.querySelector('h2').textContent = photo.name;
  dialog.querySelector('.message').textContent = failure.message;
  dialog.querySelector('.attempt').textContent = `${failure.attempt} of ${failure.maxAttempts}`;
  dialog.querySelector('.job').textContent = failure.jobId;
  dialog.querySelector('.now').textContent = now(photo);
  dialog.querySelector('.job-page').href = `jobs/job?id=${failure.jobId}`;
  dialog.querySelector('.json').href = photoUrl(photo);
  dialog.showModal();
}

function now({ state, failure }) {
  if (state === 'working') {
    return 'The next attempt is running.';
  }
  return failure.attempt < failure.maxAttempts
    ? 'It will run again within seconds.'
    : 'Dead: the job is kept for 180 days and does not run again on its own.';
}
