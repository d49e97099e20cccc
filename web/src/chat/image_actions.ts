/** Files that a person attaches to the next message of a chat: images go with it, other files into the workspace. */
import type { Messages } from '../i18n/messages';
import type { DraftImage } from '../images/draft_images';
import { type ChatContext, type Conversation, isOpenChat } from './chat_context';
import { storeAndMention } from './mention_files';

/** Types that browsers decode; a model sees these. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

export interface ImageActions {
  /** Attaches files. Never rejects: the state shows which files could not be used. */
  add(files: readonly File[]): Promise<void>;
  remove(id: string): void;
  /** Attaches images that were sent before. Never rejects. */
  attachAgain(addresses: readonly string[]): Promise<void>;
  clear(): void;
}

export function createImageActions(context: ChatContext, messages: () => Messages): ImageActions {
  const { store, draftImages } = context;
  /** Files are read one after the other, so that no call overwrites the images of another one. */
  let queue = Promise.resolve();
  const put = (conversation: Conversation, images: readonly DraftImage[]) => {
    draftImages.write(conversation.sessionId, images);
    if (isOpenChat(context, conversation)) store.set({ images });
  };
  const attempt = async (conversation: Conversation, read: () => Promise<void>) => {
    store.set({ readingFor: [...store.get().readingFor, conversation], imageProblems: [] });
    queue = queue.then(read).catch(() => context.notify(messages().requestFailed));
    await queue;
    const { readingFor } = store.get();
    store.set({ readingFor: readingFor.toSpliced(readingFor.indexOf(conversation), 1) });
  };
  const addImagesTo = async (conversation: Conversation, files: readonly File[]) => {
    const { addImages } = await import('../images/prepare_images');
    const before = draftImages.read(conversation.sessionId);
    const { images, problems } = await addImages(before, files);
    // The person may have removed some of the earlier images by now.
    const left = draftImages.read(conversation.sessionId);
    const isRemoved = ({ id }: DraftImage) => before.some(image => image.id === id) && !left.some(image => image.id === id);
    put(
      conversation,
      images.filter(image => !isRemoved(image)),
    );
    return problems;
  };
  const addTo = async (conversation: Conversation, files: readonly File[]) => {
    const images = files.filter(file => IMAGE.test(file.type));
    const others = files.filter(file => !images.includes(file));
    const problems = [
      ...(images.length > 0 ? await addImagesTo(conversation, images) : []),
      ...(others.length > 0 ? await storeAndMention(context, conversation, others) : []),
    ];
    if (isOpenChat(context, conversation)) store.set({ imageProblems: problems });
  };
  return {
    add: files => {
      const { conversation } = context;
      return attempt(conversation, () => addTo(conversation, files));
    },
    attachAgain: addresses => {
      const { conversation } = context;
      return attempt(conversation, async () => {
        const { readSentImages } = await import('../images/prepare_images');
        put(conversation, await readSentImages(addresses));
      });
    },
    remove: id => {
      put(
        context.conversation,
        store.get().images.filter(image => image.id !== id),
      );
      store.set({ imageProblems: [] });
    },
    clear: () => {
      put(context.conversation, []);
      store.set({ imageProblems: [] });
    },
  };
}
