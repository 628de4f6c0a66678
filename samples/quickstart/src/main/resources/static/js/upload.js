/* Uploads files that were picked or dropped onto the page. */

import { MAX_UPLOAD, uploadPhoto } from './api.js';

const AT_ONCE = 3;

export function acceptFiles(form, onUploaded, onProblem) {
  const picker = form.querySelector('input[type=file]');
  picker.addEventListener('change', () => {
    upload([...picker.files], onUploaded, onProblem);
    picker.value = '';
  });
  form.addEventListener('submit', (event) => event.preventDefault());

  // Listen on the whole page, so that a file dropped beside the box does not replace the page.
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) {
      form.classList.remove('over');
    }
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    upload([...event.dataTransfer.files], onUploaded, onProblem);
  });
}

async function upload(files, onUploaded, onProblem) {
  const problems = [];
  const uploadNext = async () => {
    for (let file = files.shift(); file; file = files.shift()) {
      try {
        if (file.size > MAX_UPLOAD) {
          throw new Error('The file is larger than 20 MB.');
        }
        await uploadPhoto(file);
        onUploaded();
      }
      catch (error) {
        problems.push(`${file.name}: ${error.message}`);
      }
    }
  };
  onProblem('');
  await Promise.all(Array.from({ length: AT_ONCE }, uploadNext));
  onProblem(problems.join('\n'));
}
