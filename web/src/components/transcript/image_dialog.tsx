import { useMessages } from '../../i18n/language_context';
import { GatewayImage } from '../basic/gateway_image';
import { Icon } from '../basic/icon';
import { useModal } from '../basic/use_modal';
import './image_dialog.css';

interface ImageDialogProps {
  src: string;
  name: string;
  onClose: () => void;
}

/** Shows one image as large as the window allows. Escape and a click beside it close it. */
export function ImageDialog({ src, name, onClose }: ImageDialogProps) {
  const messages = useMessages();
  const dialog = useModal();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog closes on Escape by itself
    <dialog
      ref={dialog}
      class="image-dialog"
      aria-label={name}
      data-testid="image-dialog"
      onClose={onClose}
      onClick={event => event.target === event.currentTarget && onClose()}
    >
      <GatewayImage src={src} alt={name} />
      <button type="button" class="icon-button" aria-label={messages.close} title={messages.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </dialog>
  );
}
