import { fetchCensus, fetchGallery, fetchQueues, makeDemoPhotos } from './api.js';
import { showCensus } from './census.js';
import { Gallery } from './gallery.js';
import { showContactSheet, showJobs } from './status.js';
import { acceptFiles } from './upload.js';

const BUSY = 500;
const IDLE = 5000;
/* Longer than the time between the last photo and the build of the contact sheet. */
const STAY_BUSY = 8000;

const notice = document.querySelector('#notice');
const demo = document.querySelector('#demo');
const uploads = new Gallery(document.querySelector('#uploads'));
const demos = new Gallery(document.querySelector('#demos'));

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
    show(...await Promise.all([fetchGallery(), fetchQueues(), fetchCensus()]));
    offline('');
  }
  catch (error) {
    offline(error instanceof TypeError ? 'The site does not answer. Trying again.' : error.message);
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

function show(gallery, jobs, census) {
  if (showJobs(jobs) > 0) {
    busyUntil = Date.now() + STAY_BUSY;
  }
  document.querySelector('#empty').hidden = gallery.uploads.length > 0;
  document.querySelector('#demos-section').hidden = gallery.demos.length === 0;
  uploads.show(gallery.uploads);
  demos.show(gallery.demos);
  showContactSheet(gallery.contactSheet);
  showCensus(census);
}

function offline(text) {
  if (text) {
    notice.dataset.offline = 'true';
    showProblem(text);
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
