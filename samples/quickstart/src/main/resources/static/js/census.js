/* Shows the latest runs of the recurring job. */

const list = document.querySelector('#runs');
const next = document.querySelector('#next');
const template = document.querySelector('#run');

export function showCensus(census) {
  if (census.runs.length > 0) {
    const { photos, ready } = census.runs[0];
    next.textContent = `${photos} photos, ${ready} ready. ${census.next.length > 0 ? `Next at ${timeOf(census.next[0])}.` : 'Paused.'}`;
  }
  const shown = list.firstElementChild?.dataset.due;
  if (census.runs[0]?.due !== shown) {
    list.replaceChildren(...census.runs.map(item));
  }
}

function item(run) {
  const element = template.content.firstElementChild.cloneNode(true);
  element.dataset.due = run.due;
  element.querySelector('time').textContent = timeOf(run.due);
  element.querySelector('time').dateTime = run.due;
  element.querySelector('b').textContent = run.photos;
  element.querySelector('span').textContent = `after ${Math.max(0, new Date(run.began) - new Date(run.due))} ms`;
  return element;
}

function timeOf(text) {
  return new Date(text).toLocaleTimeString([], { hour12: false });
}
