import { useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { GatewayImage } from '../basic/gateway_image';
import { lazy } from '../basic/lazy';

const ImageDialog = lazy(async () => (await import('./image_dialog')).ImageDialog);

/** Shows the images that a person sent with a message; one opens in full size. */
export function MessageImages({ images }: { images: readonly string[] }) {
  const messages = useMessages();
  const [open, setOpen] = useState<number>();
  const shown = open === undefined ? undefined : images[open];
  return (
    <>
      <ul class="message-images" data-testid="message-images">
        {images.map((src, index) => (
          <li key={src}>
            <button type="button" aria-label={messages.enlargeImage(index + 1)} data-testid="message-image" onClick={() => setOpen(index)}>
              <GatewayImage src={src} alt={messages.imageName(index + 1, '')} loading="lazy" />
            </button>
          </li>
        ))}
      </ul>
      {open !== undefined && shown !== undefined && (
        <ImageDialog src={shown} name={messages.imageName(open + 1, '')} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
