import { toFilePath } from '../markdown/file_links';
import { onPlainClick } from '../platform/plain_click';
import type { ChatController } from './chat_controller';

/** Opens links to files of the workspace in the files view, wherever they stand. Links with `download` stay. Returns a function that ends this. */
export function followFileLinks(controller: ChatController): () => void {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const path = link && !link.hasAttribute('download') ? toFilePath(link.getAttribute('href') ?? '') : undefined;
    if (path !== undefined) onPlainClick(() => controller.openView({ name: 'files', item: path }))(event);
  };
  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}
