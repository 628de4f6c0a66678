/* Shows how many photos are in which state, and the contact sheet. */

const progress = document.querySelector('#progress');
const summary = document.querySelector('#summary');
const sheetSection = document.querySelector('#sheet-section');
const sheet = document.querySelector('#sheet');

export function showCounts(counts, total) {
  for (const [state, count] of Object.entries(counts)) {
    document.querySelector(`#counts [data-state="${state}"] dd`).textContent = count;
  }
  progress.max = Math.max(total, 1);
  progress.value = counts.ready + counts.failed;
}

/* Said aloud by screen readers, hence only when work begins or ends. */
export function announce(text) {
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
