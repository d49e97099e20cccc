import { useMessages } from '../../i18n/language_context';
import { usePeople } from '../../state/people_context';
import type { SentFile } from '../../state/view_types';
import { lazy } from '../basic/lazy';
import { MessageFiles } from './message_files';
import { MessageImages } from './message_images';
import { MessageText } from './message_text';

const MessageAuthor = lazy(async () => (await import('../../feature/chat/person_marks')).MessageAuthor);

interface PersonMessageProps {
  text: string;
  images?: readonly string[] | undefined;
  files?: readonly SentFile[] | undefined;
  isWaiting?: boolean;
  /** Who wrote it; absent when it is not known. */
  by?: string | undefined;
}

/** Shows a message of a person, and in a chat of several people who wrote it. */
export function PersonMessage({ text, images, files, isWaiting = false, by }: PersonMessageProps) {
  const messages = useMessages();
  const { isTogether, own, nameOf } = usePeople();
  const isOwn = by === undefined || by === own;
  const author = isOwn ? messages.you : nameOf(by);
  return (
    <>
      {isTogether && by !== undefined && <MessageAuthor handle={by} name={author} isOwn={isOwn} />}
      {images && <MessageImages images={images} />}
      {files && <MessageFiles files={files} />}
      <div class={isWaiting ? 'user-message waiting' : 'user-message'} data-testid="user-message">
        <span class="visually-hidden">{isTogether ? author : messages.you}: </span>
        <MessageText text={text} />
      </div>
    </>
  );
}
