import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { findModel } from '../../state/app_state';
import { Icon } from '../basic/icon';

/** Shows the images that go with the next message, and what could not be attached. */
export function ComposerImages({ controller, isAnswer }: { controller: ChatController; isAnswer: boolean }) {
  const messages = useMessages();
  const { store } = controller;
  const images = useStore(store, state => state.images);
  const problems = useStore(store, state => state.imageProblems);
  const isReading = useStore(store, state => state.isReadingImages);
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
        {isReading && <p>{messages.readingImages}</p>}
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
        aria-label={messages.attachImages}
        title={messages.attachImages}
        disabled={!isUsable}
        data-testid="attach-images"
        onClick={() => input.current?.click()}
      >
        <Icon name="image" />
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        data-testid="image-picker"
        onChange={event => {
          void controller.images.add([...(event.currentTarget.files ?? [])]);
          // Cleared, so that the same file can be picked again after it was removed.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/**
 * Attaches files that are dropped anywhere on the page; without this, the browser would leave the page to show them. Returns true while files are
 * dragged over the page.
 */
export function useImageDrop(controller: ChatController, isUsable: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = isUsable ? 'copy' : 'none';
      setOver(isUsable);
    };
    const onLeave = (event: DragEvent) => {
      // When the pointer moves between two elements of the page, `relatedTarget` is the second one.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (isUsable) void controller.images.add([...event.dataTransfer.files]);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, [controller, isUsable]);
  return isOver;
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
