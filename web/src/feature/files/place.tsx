import type { ChatController } from '../../chat/chat_controller';
import { useLocale } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { viewHref } from '../../platform/view_url';
import { fileTexts } from './file_texts';

interface PlaceProps {
  path: string;
  controller: ChatController;
}

/** The directories above a path, each a link. */
export function Place({ path, controller }: PlaceProps) {
  const texts = fileTexts[useLocale()];
  const steps = path.split('/').filter(Boolean);
  const places = steps.map((name, i) => {
    const item = steps.slice(0, i + 1).join('/');
    return { name, item: i < steps.length - 1 || path.endsWith('/') ? `${item}/` : item };
  });
  return (
    <nav class="file-place" aria-label={texts.place}>
      <ol>
        {[{ name: texts.workspace, item: undefined }, ...places].map(({ name, item }, i) => (
          <li key={item ?? ''}>
            {i === places.length ? (
              <span aria-current="page">{name}</span>
            ) : (
              <a href={viewHref({ name: 'files', item })} onClick={onPlainClick(() => controller.openView({ name: 'files', item }))}>
                {name}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
