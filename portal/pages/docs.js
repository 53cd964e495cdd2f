// Copy buttons, language selection and search of the documentation pages. Sends no requests to other hosts, and stores only the
// selected language.
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// --- Copy buttons. The clipboard is available only on HTTPS and localhost.
if (navigator.clipboard)
  for (const block of document.querySelectorAll('pre')) {
    const button = element('button', { className: 'copy', type: 'button', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
    const frame = element('div', { className: 'code' });
    block.replaceWith(frame);
    frame.append(button, block);
  }

// --- Language selection for all pages. A page without the selected language shows its first language.
const LANGUAGE = 'docs.language';
const samples = [...document.querySelectorAll('.samples')];
const stored = () => {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null; // storage is blocked
  }
};
const namesIn = (group) => [...group.children].flatMap(({ dataset }) => dataset.language ?? []);

function showLanguage(chosen) {
  for (const group of samples) {
    const names = namesIn(group);
    const shown = names.includes(chosen) ? chosen : names[0];
    for (const sample of group.querySelectorAll('figure')) sample.hidden = sample.dataset.language !== shown;
    for (const button of group.querySelectorAll('.languages button'))
      button.setAttribute('aria-pressed', String(button.textContent === shown));
  }
}

function choose(language, button) {
  // Keep the scroll position, because samples above may change their height.
  const before = button.getBoundingClientRect().top;
  showLanguage(language);
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // Storage is blocked, so other pages show their first language.
  }
}

for (const group of samples) {
  const buttons = namesIn(group).map((name) => {
    const button = element('button', { type: 'button', textContent: name });
    button.addEventListener('click', () => choose(name, button));
    return button;
  });
  const bar = element(
    'div',
    { className: 'languages', role: 'group', ariaLabel: 'Language of the examples' },
    ...buttons,
  );
  group.classList.add('chosen');
  group.prepend(bar);
}
showLanguage(stored());

// --- Search. The index is loaded when the search is used for the first time.
const MOST = 20;
let index;
const entries = () =>
  (index ??= fetch('/docs/search.json').then(async (response) => {
    if (!response.ok) throw new Error(`Loading the search index failed with HTTP ${response.status}.`);
    return (await response.json()).map(([place, page, title, text]) => ({
      place,
      page,
      title,
      text,
      inTitle: title.toLowerCase(),
      inText: text.toLowerCase(),
    }));
  }));

/** Returns the entries that contain all words. Matches in titles rank higher, and an exact title ranks first. */
function found(all, question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const weight = ({ inTitle, inText }) => {
    let sum = inTitle === words.join(' ') || inTitle.endsWith(`.${words.join(' ')}`) ? 100 : 0;
    for (const word of words) {
      if (inTitle.includes(word)) sum += 10;
      else if (inText.includes(word)) sum += 1;
      else return 0;
    }
    return sum;
  };
  return all
    .map((entry) => ({ entry, weight: weight(entry) }))
    .filter((one) => one.weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** Returns the text around the first match, without partial words. */
function excerpt({ text, inText }, question) {
  const at = Math.max(0, inText.indexOf(question.toLowerCase().split(/\s+/).find(Boolean)));
  const start = at > 40 ? text.indexOf(' ', at - 40) + 1 : 0;
  const end = text.indexOf(' ', start + 120);
  return `${start > 0 ? '… ' : ''}${end === -1 ? text.slice(start) : `${text.slice(start, end)} …`}`;
}

const input = element('input', { type: 'search', placeholder: 'Search  /', ariaLabel: 'Search', autocomplete: 'off' });
const results = element('ul', { hidden: true, id: 'results' });
const status = element('p', { className: 'status', role: 'status' });
const search = element('div', { className: 'search', role: 'search' }, input, status, results);
document.querySelector('.references').before(search);
const links = () => [...results.querySelectorAll('a')];

async function showResults() {
  const question = input.value;
  let all;
  try {
    all = await entries();
  } catch {
    index = undefined;
    status.textContent = 'The search could not be loaded. Try again in a moment.';
    return;
  }
  if (question !== input.value) return; // a newer query is running
  const hits = found(all, question);
  status.textContent = question.trim() === '' || hits.length > 0 ? '' : 'No results.';
  results.hidden = hits.length === 0;
  results.replaceChildren(
    ...hits.map((entry) => {
      const where = entry.title === entry.page ? entry.title : `${entry.title} · ${entry.page}`;
      const link = element(
        'a',
        { href: entry.place },
        element('strong', { textContent: where }),
        element('span', { textContent: excerpt(entry, question) }),
      );
      link.addEventListener('click', close);
      return element('li', {}, link);
    }),
  );
}

function close() {
  results.hidden = true;
  status.textContent = '';
}

input.addEventListener('input', showResults);
input.addEventListener('focus', showResults);
search.addEventListener('focusout', ({ relatedTarget }) => {
  if (!search.contains(relatedTarget)) close();
});
search.addEventListener('keydown', (event) => {
  const all = links();
  const at = all.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    close();
    input.blur();
  } else if (event.key === 'Enter' && at === -1 && !results.hidden) all[0]?.click();
  else if (event.key === 'ArrowDown' && all.length > 0) all[Math.min(at + 1, all.length - 1)].focus();
  else if (event.key === 'ArrowUp' && at >= 0) (all[at - 1] ?? input).focus();
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});
