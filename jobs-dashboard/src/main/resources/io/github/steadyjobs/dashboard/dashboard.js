"use strict";

/* Keeps a page up to date, shows times in the zone of the viewer, and asks questions in a dialog. */
(() => {
  const TICK_MILLIS = 5000;
  const live = document.getElementById("live");
  const dialog = document.getElementById("dialog");
  let tag = null;
  let isWaiting = false;
  let isKept = false;

  /* Returns whether the viewer wants updates, which is the default if the browser forbids access to its storage. */
  function remembered() {
    try {
      return localStorage.getItem("jobs-live") !== "off";
    } catch {
      return true;
    }
  }

  function remember(isOn) {
    try {
      localStorage.setItem("jobs-live", isOn ? "on" : "off");
    } catch {
      /* Without storage, the setting applies only to this page. */
    }
  }

  function isOn() {
    return live !== null && live.getAttribute("aria-pressed") === "true";
  }

  function show(state) {
    live.dataset.state = state;
    live.textContent = live.dataset[state];
  }

  function switchTo(on) {
    live.setAttribute("aria-pressed", on);
    show(on ? "on" : "off");
  }

  function tick() {
    if (isOn() && !isWaiting && !document.hidden && !dialog.open) {
      document.body.dispatchEvent(new Event("jobs:tick"));
    }
  }

  /* A region must not change while somebody uses it, reads its details or has selected text in it. */
  function isInUse(region) {
    const selection = getSelection();
    return (region.contains(document.activeElement) && document.activeElement !== document.body)
      || region.querySelector("details[open]") !== null
      || (!selection.isCollapsed && region.contains(selection.anchorNode));
  }

  function answered(request) {
    const readAt = request.getResponseHeader("X-Jobs-Read-At");
    if (readAt === null) {
      failed();
      return;
    }
    document.getElementById("read-at").dateTime = readAt;
    // If a region was not updated, ask without an entity tag next time, so that the server sends the region again.
    tag = isKept ? null : request.getResponseHeader("ETag");
    if (isOn()) {
      show("on");
    }
    showTimes();
  }

  function failed() {
    tag = null;
    if (isOn()) {
      show("broken");
    }
  }

  const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { style: "narrow", numeric: "auto" });
  const formats = {
    at: new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }),
    minute: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    // Days are counted in UTC.
    day: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" }),
  };

  function ago(time) {
    const seconds = Math.round((time - Date.now()) / 1000);
    const [unit, length] = UNITS.find((candidate) => Math.abs(seconds) >= candidate[1]) ?? UNITS[3];
    return relative.format(Math.trunc(seconds / length), unit);
  }

  function showTimes() {
    for (const element of document.querySelectorAll("time[data-show]")) {
      const time = new Date(element.dateTime);
      const format = formats[element.dataset.show];
      const text = format ? format.format(time) : ago(time);
      if (element.textContent !== text) {
        element.textContent = text;
        element.title = formats.at.format(time);
      }
    }
    for (const title of document.querySelectorAll(".chart title")) {
      title.textContent = title.textContent.replace(/^\d{4}-\S+Z/, (time) => formats.at.format(new Date(time)));
    }
  }

  /* A time field has no zone: it shows the time in the viewer's zone, and a hidden field sends it in UTC. */
  function showFields(root) {
    for (const field of root.querySelectorAll("input[type=datetime-local][name]")) {
      const sent = Object.assign(document.createElement("input"), { type: "hidden", name: field.name });
      const read = (value, zone) => (value === "" ? null : new Date(value + zone));
      const time = read(field.value, "Z");
      sent.value = field.value;
      field.removeAttribute("name");
      field.value = time === null ? "" : new Date(time - time.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
      field.addEventListener("input", () => {
        sent.value = read(field.value, "")?.toISOString().slice(0, 19) ?? "";
      });
      field.after(sent);
    }
    for (const zone of root.querySelectorAll("[data-zone]")) {
      zone.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
    }
  }

  async function ask(address) {
    const response = await fetch(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const question = page.querySelector("form.question");
    if (question === null) {
      location.assign(address);
      return;
    }
    dialog.replaceChildren(document.adoptNode(question));
    showFields(dialog);
    dialog.showModal();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    if (link.hasAttribute("data-dialog")) {
      event.preventDefault();
      ask(link.href).catch(() => location.assign(link.href));
    } else if (link.hasAttribute("data-close") && dialog.open) {
      event.preventDefault();
      dialog.close();
    }
  });

  document.addEventListener("visibilitychange", tick);
  document.body.addEventListener("htmx:configRequest", (event) => {
    isWaiting = true;
    isKept = false;
    if (tag !== null) {
      event.detail.headers["If-None-Match"] = tag;
    }
  });
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (isInUse(event.detail.target)) {
      event.detail.shouldSwap = false;
      isKept = true;
    }
  });
  document.body.addEventListener("htmx:afterRequest", (event) => {
    isWaiting = false;
    if (event.detail.successful || event.detail.xhr.status === 304) {
      answered(event.detail.xhr);
    } else {
      failed();
    }
  });

  if (live !== null) {
    live.hidden = false;
    switchTo(remembered());
    live.addEventListener("click", () => {
      switchTo(!isOn());
      remember(isOn());
      tick();
    });
  }

  // Remove the message from the address, so that a reload or a bookmark does not show it again.
  const address = new URL(location.href);
  if (address.searchParams.has("notice")) {
    address.searchParams.delete("notice");
    address.searchParams.delete("count");
    address.searchParams.delete("others");
    history.replaceState(null, "", address);
  }

  document.querySelector(".side [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  const proceed = document.querySelector("form[data-proceed=true]");
  if (proceed !== null) {
    // Leave enough time to read the progress and to stop the change.
    setTimeout(() => proceed.requestSubmit(), 500);
  }

  showTimes();
  showFields(document);
  setInterval(showTimes, 1000);
  setInterval(tick, TICK_MILLIS);
})();
