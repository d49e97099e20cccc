import { useMessages } from '../../i18n/language_context';
import { MessageImages } from './message_images';
import { MessageText } from './message_text';

interface PersonMessageProps {
  text: string;
  images?: readonly string[] | undefined;
  isWaiting?: boolean;
}

/** Shows a message of the person. */
export function PersonMessage({ text, images, isWaiting = false }: PersonMessageProps) {
  const messages = useMessages();
  return (
    <>
      {images && <MessageImages images={images} />}
      <div class={isWaiting ? 'user-message waiting' : 'user-message'} data-testid="user-message">
        <span class="visually-hidden">{messages.you}: </span>
        <MessageText text={text} />
      </div>
    </>
  );
}
