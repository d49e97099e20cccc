/** The frame of pages that the server writes by itself, styled by web/public/not_found.css. */
import { wayToRoot } from './base_path';

/** `path`: address of the page. `main`: HTML; the caller escapes what is not its own text. */
export function htmlPage({ locale, title, main, path }: { locale: string; title: string; main: string; path: string }): string {
  const root = wayToRoot(path);
  return `<!doctype html>
<html lang="${locale}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Neta</title>
    <link rel="icon" href="${root}favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${root}not_found.css" />
  </head>
  <body>
    <main>
${main}
    </main>
  </body>
</html>
`;
}
