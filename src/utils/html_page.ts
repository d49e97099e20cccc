/** The frame of pages that the server writes by itself, styled by web/public/not_found.css. */

/** `main`: HTML; the caller escapes what is not its own text. */
export function htmlPage({ locale, title, main }: { locale: string; title: string; main: string }): string {
  return `<!doctype html>
<html lang="${locale}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Neta</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/not_found.css" />
  </head>
  <body>
    <main>
${main}
    </main>
  </body>
</html>
`;
}
