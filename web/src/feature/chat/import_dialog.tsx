import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useModal } from '../../components/basic/use_modal';
import { useLocale, useMessages } from '../../i18n/language_context';
import { chatMenuTexts } from './chat_menu_texts';
import { type FileProblem, type ImportProgress, importChats, readFile } from './import_chats';
import './chat_dialogs.css';

/** Rows of chats that did not come in. */
const MAX_REFUSED = 50;

type State =
  | { phase: 'choosing'; problem?: FileProblem }
  | { phase: 'reading' }
  | ({ phase: 'importing' | 'done' | 'broken' } & ImportProgress);

/** Imports chats from a file of another program: says how many came in, and which did not and why. */
export function ImportDialog({ controller, onClose }: { controller: ChatController; onClose: () => void }) {
  const messages = useMessages();
  const texts = chatMenuTexts[useLocale()];
  const [state, setState] = useState<State>({ phase: 'choosing' });
  const dialog = useModal();
  const stop = useRef(new AbortController());
  const id = useId();
  useEffect(() => () => stop.current.abort(), []);
  const start = async (file: File) => {
    setState({ phase: 'reading' });
    const read = await readFile(file);
    if (typeof read === 'string') return setState({ phase: 'choosing', problem: read });
    let last: ImportProgress = { done: 0, all: read.length, imported: 0, refused: [] };
    const onProgress = (progress: ImportProgress) => {
      last = progress;
      setState({ phase: 'importing', ...progress });
    };
    const isWhole = await importChats(read, { signal: stop.current.signal, onProgress }).then(
      () => true,
      () => false,
    );
    setState({ phase: isWhole ? 'done' : 'broken', ...last });
    controller.sessions.refreshSoon();
  };
  return (
    <dialog ref={dialog} class="dialog chat-dialog" aria-labelledby={id} data-testid="import-dialog" onClose={onClose}>
      <h2 id={id}>{texts.importTitle}</h2>
      {state.phase === 'choosing' && (
        <>
          <p>{texts.importNote}</p>
          <label class="chat-file">
            {texts.importFile}
            <input
              type="file"
              accept=".json,application/json"
              data-testid="import-file"
              onChange={event => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void start(file);
              }}
            />
          </label>
          {state.problem && (
            <p class="form-error" role="alert" data-testid="import-problem">
              {texts.fileProblems[state.problem]}
            </p>
          )}
        </>
      )}
      {state.phase === 'reading' && <p role="status">{texts.importReading}</p>}
      {'all' in state && <Progress state={state} />}
      <div class="dialog-actions">
        <button type="button" class="button" data-testid="import-close" onClick={onClose}>
          {state.phase === 'importing' ? texts.importStop : state.phase === 'choosing' ? messages.cancel : messages.close}
        </button>
      </div>
    </dialog>
  );
}

function Progress({ state }: { state: ImportProgress & { phase: string } }) {
  const texts = chatMenuTexts[useLocale()];
  const { done, all, imported, refused, phase } = state;
  return (
    <>
      {phase === 'importing' && <progress value={done} max={all} aria-label={texts.importTitle} />}
      <p role="status" data-testid="import-status">
        {phase === 'importing' ? texts.importing(done, all) : texts.imported(imported, refused.length)}
      </p>
      {phase === 'broken' && (
        <p class="form-error" role="alert">
          {texts.importBroken(all - done)}
        </p>
      )}
      {refused.length > 0 && (
        <ul class="chat-refused" data-testid="import-refused">
          {refused.slice(0, MAX_REFUSED).map(({ title, problem, message }, index) => (
            <li key={index}>
              <strong>{title || texts.noTitle}</strong> {problem === 'refused' ? message : texts.chatProblems[problem]}
            </li>
          ))}
          {refused.length > MAX_REFUSED && <li>{texts.moreRefused(refused.length - MAX_REFUSED)}</li>}
        </ul>
      )}
    </>
  );
}
