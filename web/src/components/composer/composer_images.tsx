import { useRef } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { findModel, isReadingFiles } from '../../state/app_state';
import { Icon } from '../basic/icon';

/** Shows the images that go with the next message, and what could not be attached. */
export function ComposerImages({ controller, isAnswer }: { controller: ChatController; isAnswer: boolean }) {
  const messages = useMessages();
  const { store } = controller;
  const images = useStore(store, state => state.images);
  const problems = useStore(store, state => state.imageProblems);
  const isReading = useStore(store, isReadingFiles);
  return (
    <>
      {images.length > 0 && (
        <ul class="composer-images" aria-label={messages.attachedImages} data-testid="composer-images">
          {images.map(({ id, name, src }, index) => (
            <li key={id}>
              <img src={src} alt={messages.imageName(index + 1, name)} />
              <button
                type="button"
                class="icon-button small"
                aria-label={messages.removeImage(messages.imageName(index + 1, name))}
                title={messages.removeImage(messages.imageName(index + 1, name))}
                data-testid="remove-image"
                onClick={event => {
                  focusNeighbour(event.currentTarget);
                  controller.images.remove(id);
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div role="status" class="image-notes" data-testid="image-notes">
        {isReading && <p>{messages.readingFiles}</p>}
        {images.length > 0 && <p class="visually-hidden">{messages.imageCount(images.length)}</p>}
        {images.length > 0 && isAnswer && <p>{messages.imagesNotInAnswer}</p>}
        {images.length > 0 && <BlindModel controller={controller} />}
        {problems.map(({ name, problem }) => (
          <p key={`${name} ${problem}`} class="image-problem">
            {messages.imageProblem[problem](name || messages.unnamedFile)}
          </p>
        ))}
      </div>
    </>
  );
}

/** Warns when the model that will answer cannot see images. */
function BlindModel({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const model = useStore(controller.store, findModel);
  return model && !model.images ? <p data-testid="blind-model">{messages.imagesUnseen(model.label ?? model.id)}</p> : null;
}

/** Opens the file picker of the browser. */
export function AttachButton({ controller, isUsable }: { controller: ChatController; isUsable: boolean }) {
  const messages = useMessages();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={messages.attachFiles}
        title={messages.attachFiles}
        disabled={!isUsable}
        data-testid="attach-files"
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="file-picker"
        onChange={event => {
          void controller.attach([...(event.currentTarget.files ?? [])]);
          // Cleared, so that the same file can be picked again after it was removed.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Returns the files of a paste that has no text: a copied table, for example, is text with a picture of it. */
export function pastedFiles({ clipboardData }: ClipboardEvent): File[] {
  return clipboardData && !clipboardData.types.includes('text/plain') ? [...clipboardData.files] : [];
}

/** Moves the focus from the button of a removed image to the button of the next image, or to the message field. */
function focusNeighbour(button: HTMLElement): void {
  const item = button.closest('li');
  const next = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button');
  (next ?? document.querySelector<HTMLElement>('#composer'))?.focus({ preventScroll: true });
}
