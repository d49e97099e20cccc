import { useMessages } from '../../i18n/language_context';
import type { SentFile } from '../../state/view_types';
import { MessageFiles } from './message_files';
import { MessageImages } from './message_images';
import { MessageText } from './message_text';

interface PersonMessageProps {
  text: string;
  images?: readonly string[] | undefined;
  files?: readonly SentFile[] | undefined;
  isWaiting?: boolean;
}

/** Shows a message of the person. */
export function PersonMessage({ text, images, files, isWaiting = false }: PersonMessageProps) {
  const messages = useMessages();
  return (
    <>
      {images && <MessageImages images={images} />}
      {files && <MessageFiles files={files} />}
      <div class={isWaiting ? 'user-message waiting' : 'user-message'} data-testid="user-message">
        <span class="visually-hidden">{messages.you}: </span>
        <MessageText text={text} />
      </div>
    </>
  );
}
