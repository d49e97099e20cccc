import { useMessages } from '../../i18n/language_context';
import type { SentFile } from '../../state/view_types';
import { Icon } from '../basic/icon';

/** Names the files that a person sent with a message; a click opens or saves one. */
export function MessageFiles({ files }: { files: readonly SentFile[] }) {
  const messages = useMessages();
  return (
    <ul class="message-files" aria-label={messages.sentFiles} data-testid="message-files">
      {files.map(({ name = messages.unnamedFile, address }) => (
        <li key={address}>
          <a href={address} download={name} data-testid="message-file">
            <Icon name="attach" />
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
