/** Images of other servers in answers: a link until the person clicks it, then the image, which the gateway fetches. */
import { API_BASE } from '../../api/call_rest';
import { isReadByBrowser, readImage } from '../../api/image_address';
import { FOREIGN_IMAGE } from '../../markdown/markdown_parser';

/**
 * Shows the image of a link inside of `answer`, when `target` is in such a link. Returns whether it is. An image that cannot be loaded becomes the link
 * again, which then opens the address; `failed` says so behind its text.
 */
export function showForeignImage(target: Element, answer: Element, failed: string): boolean {
  const link = target.closest<HTMLAnchorElement>(`a.${FOREIGN_IMAGE}`);
  if (!link || !answer.contains(link)) return false;
  const image = document.createElement('img');
  image.className = FOREIGN_IMAGE;
  image.alt = link.textContent ?? '';
  // The link had the focus.
  image.tabIndex = -1;
  image.onerror = () => {
    link.classList.remove(FOREIGN_IMAGE);
    link.append(` (${failed})`);
    image.replaceWith(link);
    link.focus();
  };
  showAddress(image, `${API_BASE}/image-proxy?url=${encodeURIComponent(link.href)}`);
  link.replaceWith(image);
  image.focus();
  return true;
}

function showAddress(image: HTMLImageElement, address: string): void {
  if (isReadByBrowser(address)) {
    image.src = address;
    return;
  }
  image.onload = () => URL.revokeObjectURL(image.src);
  void readImage(address).then(
    read => {
      image.src = read;
    },
    () => image.dispatchEvent(new Event('error')),
  );
}
