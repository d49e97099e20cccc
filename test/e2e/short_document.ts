/** A short document for the API page: drawing all operations takes seconds of processor time. */
import type { BrowserContext } from 'playwright-core';

/** Shows pages of this context only these paths of the document. */
export async function keepPaths(context: BrowserContext, ...kept: string[]): Promise<void> {
  await context.route('**/openapi.json*', async route => {
    const response = await route.fetch();
    const document: { paths: Record<string, unknown> } = await response.json();
    const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => kept.includes(path)));
    await route.fulfill({ response, json: { ...document, paths } });
  });
}
