/** Files that a person attaches: they are stored in the workspace, and the message names their paths. */
import type { ImageProblem } from '../images/prepare_images';
import { toMention } from '../markdown/mentions';
import { readDraft, typeInto, writeDraft } from '../platform/drafts';
import { findOpenQuestion } from '../state/view_types';
import { type ChatContext, type Conversation, isOpenChat } from './chat_context';

/** The directory of the workspace for attached files. */
const UPLOADS = 'uploads/';

interface FileProblem {
  name: string;
  problem: ImageProblem;
}

/** Stores files, names their paths in the draft of the conversation, and returns what could not be stored. */
export async function storeAndMention(
  context: ChatContext,
  conversation: Conversation,
  files: readonly File[],
): Promise<readonly FileProblem[]> {
  const { MAX_UPLOAD, uploadFile } = await import('../api/file_api');
  const problems: FileProblem[] = [];
  for (const { file, isTooLarge } of files.map(file => ({ file, isTooLarge: file.size > MAX_UPLOAD }))) {
    const path = isTooLarge
      ? undefined
      : await uploadFile(file, UPLOADS).then(
          row => row.path,
          () => undefined,
        );
    if (path === undefined) problems.push({ name: file.name, problem: isTooLarge ? 'over_upload_limit' : 'not_stored' });
    else mentionFile(context, conversation, path);
  }
  return problems;
}

/** Adds the path of a file to the draft of a conversation. */
export function mentionFile(context: ChatContext, conversation: Conversation, path: string): void {
  const { store } = context;
  const isOnPage = isOpenChat(context, conversation);
  const before = isOnPage ? store.get().draft : readDraft(conversation.sessionId);
  const text = [before.text.trimEnd(), `${toMention(path)} `].filter(Boolean).join(' ');
  const draft = typeInto(before, text, isOnPage ? findOpenQuestion(store.get().view)?.requestId : undefined);
  writeDraft(conversation.sessionId, draft);
  if (isOnPage) store.set({ draft });
}
