/** What the head of each page begins with; `<!-- head -->` stands for it in the files. */
const HEAD = [
  '<meta charset="utf-8" />',
  // The keyboard of a phone makes the page smaller, so that a field at its bottom stays visible.
  '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />',
  '<meta name="color-scheme" content="light dark" />',
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />',
  '<script src="/first_paint.js"></script>',
];

export const pageHead = {
  name: 'page-head',
  transformIndexHtml: { order: 'pre', handler: html => html.replace('<!-- head -->', HEAD.join('\n    ')) },
};
