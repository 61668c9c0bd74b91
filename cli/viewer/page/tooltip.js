// One tooltip for all elements with data-tip, under the pointer or at what has the focus.

function showTip(text, x, y) {
  const tip = document.getElementById('tip');
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18}px`;
}

function hideTip() { document.getElementById('tip').hidden = true; }

function installTips() {
  const source = (event) => event.target instanceof Element ? event.target.closest('[data-tip]') : null;
  document.addEventListener('pointermove', (event) => {
    const element = source(event);
    if (element)
      showTip(element.dataset.tip, event.clientX, event.clientY);
    else if (!(event.target instanceof HTMLCanvasElement))
      hideTip();
  });
  // Also after scrolling: what gets the focus may have been out of sight.
  function showFocused() {
    const element = document.activeElement;
    if (!element.dataset.tip || !element.matches(':focus-visible')) return hideTip();
    const box = element.getBoundingClientRect();
    showTip(element.dataset.tip, box.left, box.bottom - 12);
  }
  document.addEventListener('focusin', showFocused);
  document.addEventListener('focusout', hideTip);
  document.addEventListener('scroll', showFocused, true);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hideTip();
  });
}
