import { readAccessKey } from '../api/access_key';
import { API_BASE, requestRest } from '../api/call_rest';
import { saveFile } from '../platform/save_file';

/** Reads the files of download links with the key of the page, which the browser does not send. Without a key the browser follows the links. */
export function followDownloads(onFailure: () => void): void {
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null;
    const path = link?.getAttribute('href') ?? '';
    if (!link || readAccessKey() === undefined || !path.startsWith(API_BASE)) return;
    event.preventDefault();
    void download(path).catch(onFailure);
  });
}

async function download(path: string): Promise<void> {
  const response = await requestRest('GET', path.slice(API_BASE.length), { headers: { accept: '*/*' } });
  const blob = await response.blob();
  saveFile(decodeURIComponent(path.split('/').at(-1) ?? ''), blob, blob.type);
}
