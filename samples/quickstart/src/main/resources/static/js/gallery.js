/* Shows photos, and updates only those that have changed. */

import { thumbnailUrl } from './api.js';
import { attemptText, showFailure } from './failure.js';

const template = document.querySelector('#card');

const TEXTS = { queued: 'waiting', working: 'working', ready: '' };

export class Gallery {

  #list;

  #cards = new Map();

  constructor(list) {
    this.#list = list;
  }

  show(photos) {
    this.#removeAllBut(new Set(photos.map((photo) => photo.id)));
    photos.forEach((photo, index) => {
      const card = this.#cards.get(photo.id) ?? this.#add(photo);
      if (this.#list.children[index] !== card.element) {
        this.#list.insertBefore(card.element, this.#list.children[index] ?? null);
      }
      card.update(photo);
    });
  }

  #add(photo) {
    const card = new Card(photo);
    this.#cards.set(photo.id, card);
    return card;
  }

  #removeAllBut(ids) {
    for (const [id, card] of this.#cards) {
      if (!ids.has(id)) {
        card.element.remove();
        this.#cards.delete(id);
      }
    }
  }

}

class Card {

  #photo;

  constructor(photo) {
    this.element = template.content.firstElementChild.cloneNode(true);
    const name = this.element.querySelector('.name');
    name.textContent = name.title = photo.name;
    this.element.querySelector('button').addEventListener('click', () => showFailure(this.#photo));
  }

  update(photo) {
    if (JSON.stringify(this.#photo) === JSON.stringify(photo)) {
      return;
    }
    this.#photo = photo;
    this.element.dataset.state = photo.state;
    const button = this.element.querySelector('button');
    button.disabled = !photo.failure;
    button.querySelector('.text').textContent = photo.failure ? attemptText(photo) : TEXTS[photo.state];
    if (photo.state === 'ready') {
      this.#showThumbnail(photo);
    }
  }

  /* The thumbnail is shown after it has loaded. Until then, the card shows the state of the photo. */
  #showThumbnail(photo) {
    const link = this.element.querySelector('a');
    const image = link.querySelector('img');
    image.addEventListener('load', () => {
      link.hidden = false;
      this.element.querySelector('button').hidden = true;
    }, { once: true });
    image.alt = photo.name;
    image.src = thumbnailUrl(photo, 'medium');
    link.href = thumbnailUrl(photo, 'large');
  }

}
