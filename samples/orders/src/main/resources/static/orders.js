/* Shows the answer to GET orders. Addresses are relative, so that a context path works. */

const BUSY = 500;
const IDLE = 3000;
const TOTALS = ['sent', 'waiting', 'applied', 'merged', 'runs', 'failed', 'putBack', 'repeated', 'backwards'];
const OF_ORDER = ['sent', 'applied', 'merged', 'runs', 'failed', 'putBack', 'repeated', 'backwards'];
const STEPS = { FAILED: 'failed', PUT_BACK: 'interrupted' };

const find = (selector) => document.querySelector(selector);
const notice = find('#notice');
const rows = new Map();

let timer;

async function call(path, method = 'GET') {
  const response = await fetch(path, { method });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(body.detail ?? `The server answered ${response.status}.`);
  }
  return body;
}

function say(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function showProblem(text) {
  say(notice, text);
  notice.hidden = !text;
}

function addCells(row, names) {
  for (const name of names) {
    row.insertCell().dataset.count = name;
  }
}

function showCounts(element, counts) {
  for (const cell of element.querySelectorAll('[data-count]')) {
    const count = counts[cell.dataset.count];
    say(cell, count.toLocaleString('en'));
    cell.classList.toggle('none', count === 0);
  }
}

function showState({ stream, total, ended, restarts, ordered }) {
  const times = restarts === 1 ? 'once' : `${restarts} times`;
  const progress = `${ordered.applied.toLocaleString('en')} of ${total.toLocaleString('en')} updates applied, workers restarted ${times}.`;
  say(find('#state'), stream === 0 ? 'Waiting for the first update.' : `${ended ? 'The stream has ended: ' : ''}${progress}`);
  find('#state').dataset.ended = ended;
  find('#progress').max = total || 1;
  find('#progress').value = ordered.applied;
}

function showOrder({ order, ordered, plain }) {
  const row = rows.get(order) ?? addOrder(order);
  showCounts(row, { ...ordered, plain: plain.backwards });
  const bar = row.querySelector('progress');
  bar.max = ordered.sent || 1;
  bar.value = ordered.applied;
}

function addOrder(order) {
  const row = find('#orders tbody').insertRow();
  const name = document.createElement('th');
  name.scope = 'row';
  name.textContent = order;
  row.append(name);
  addCells(row, [...OF_ORDER, 'plain']);
  const applied = row.querySelector('[data-count="applied"]');
  const number = document.createElement('span');
  number.dataset.count = 'applied';
  delete applied.dataset.count;
  applied.className = 'wide';
  applied.append(document.createElement('progress'), number);
  rows.set(order, row);
  return row;
}

function showRuns(runs) {
  find('#runs').replaceChildren(...runs.map(({ order, attempt, steps }) => {
    const run = document.createElement('li');
    const title = document.createElement('b');
    title.textContent = `Order ${order}`;
    run.append(title, ...steps.map(step), attempt > 1 ? ` attempt ${attempt}` : '');
    return run;
  }));
}

function step({ kind, version }) {
  const element = document.createElement('span');
  element.className = `step ${STEPS[kind] ?? ''}`;
  element.textContent = `${version}${kind in STEPS ? ` ${STEPS[kind]}` : ''}`;
  return element;
}

function show(summary) {
  showState(summary);
  if (summary.orders.length < rows.size) {
    rows.clear();
    find('#orders tbody').replaceChildren();
  }
  for (const lane of ['ordered', 'plain']) {
    document.querySelectorAll(`[data-lane="${lane}"]`).forEach((element) => showCounts(element, summary[lane]));
  }
  showRuns(summary.latest);
  summary.orders.forEach(showOrder);
}

async function refresh() {
  clearTimeout(timer);
  let pause = IDLE;
  try {
    const summary = await call('orders');
    show(summary);
    pause = summary.ended ? IDLE : BUSY;
    showProblem('');
  }
  catch (error) {
    showProblem(error instanceof TypeError ? 'The shop does not answer. Trying again.' : error.message);
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, pause);
}

function onClick(selector, path) {
  const button = find(selector);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await call(path, 'POST');
      await refresh();
    }
    catch (error) {
      showProblem(error.message);
    }
    button.disabled = false;
  });
}

document.querySelectorAll('#totals tbody tr').forEach((row) => addCells(row, TOTALS));
onClick('#restart', 'restart');
onClick('#again', 'stream');
refresh();
