/* Shows the number of jobs and the contact sheet. */

const rows = new Map();
const body = document.querySelector('#queues tbody');
const template = document.querySelector('#row');
const summary = document.querySelector('#summary');
const sheetSection = document.querySelector('#sheet-section');
const sheet = document.querySelector('#sheet');

/* The value of a full bar: the length of the longest queue since all queues were empty. */
let longest = 1;

export function showJobs(jobs) {
  const queues = Object.entries(jobs);
  const sum = (count) => queues.reduce((total, [, queue]) => total + queue[count], 0);
  longest = sum('ready') + sum('working') === 0 ? 1 : Math.max(longest, ...queues.map(([, queue]) => queue.ready));
  queues.forEach(([name, queue]) => showQueue(rows.get(name) ?? addRow(name), queue));
  say(sum('ready'), sum('working'), sum('retries'));
  return sum('ready') + sum('working') + sum('retries');
}

function addRow(name) {
  const row = template.content.firstElementChild.cloneNode(true);
  row.querySelector('code').textContent = name;
  row.dataset.queue = name;
  body.append(row);
  rows.set(name, row);
  return row;
}

function showQueue(row, queue) {
  for (const cell of row.querySelectorAll('[data-count]')) {
    const count = queue[cell.dataset.count];
    cell.textContent = count;
    cell.classList.toggle('none', count === 0);
  }
  row.querySelector('.bar i').style.width = `${100 * queue.ready / longest}%`;
}

/* Screen readers read each new text aloud, so the text is set only if it has changed. */
function say(ready, working, retries) {
  let text = 'No jobs are waiting.';
  if (ready > 0) {
    text = `${ready} waiting, ${working} running.`;
  }
  else if (working > 0) {
    text = `${working} running.`;
  }
  else if (retries > 0) {
    text = `${retries} failed and will run again.`;
  }
  if (summary.textContent !== text) {
    summary.textContent = text;
  }
}

export function showContactSheet(url) {
  sheetSection.hidden = !url;
  if (url && sheet.getAttribute('src') !== url) {
    sheet.src = url;
    document.querySelector('#sheet-link').href = url;
  }
}
