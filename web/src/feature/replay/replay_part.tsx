import { useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { useLocale, useMessages } from '../../i18n/language_context';
import { ScopeButton } from '../../ops/parts/scope_button';
import { usePlace } from '../../ops/shared/ops_controller';
import { AddToSuite } from './add_to_suite';
import { ModelField } from './model_field';
import { type Replay, replayRun } from './replay_api';
import { ReplayResult } from './replay_result';
import { replayTexts } from './replay_texts';
import './replay.css';

/** Replays an ended run and compares it, and makes it a case of a suite. */
export function ReplayPart({ runId }: { runId: string }) {
  const texts = replayTexts[useLocale()];
  const messages = useMessages();
  const { query } = usePlace();
  const [model, setModel] = useState('');
  const [prompt, setPrompt] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [replay, setReplay] = useState<Replay>();
  const [problem, setProblem] = useState<string>();
  const [isAdding, setAdding] = useState(query['suite'] === 'add');
  const start = async () => {
    setBusy(true);
    setProblem(undefined);
    setReplay(undefined);
    try {
      setReplay(await replayRun(runId, { model, prompt: prompt.trim() }));
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.notRead);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="replay-heading" data-testid="replay">
      <h2 id="replay-heading">{texts.title}</h2>
      <p class="field-note">{texts.about}</p>
      <form onSubmit={event => event.preventDefault()}>
        <ModelField value={model} onChange={setModel} />
        <details>
          <summary>{texts.change}</summary>
          <div class="field">
            <label for="replay-prompt">{texts.prompt}</label>
            <textarea
              id="replay-prompt"
              rows={5}
              value={prompt}
              data-testid="replay-prompt"
              onInput={event => setPrompt(event.currentTarget.value)}
            />
          </div>
        </details>
        <div class="toolbar">
          <ScopeButton scope="chat" isBusy={isBusy} isPrimary testId="replay-run" onClick={() => void start()}>
            {isBusy ? texts.replaying : texts.replay}
          </ScopeButton>
          <ScopeButton scope="chat" testId="add-to-suite" onClick={() => setAdding(true)}>
            {texts.addToSuite}
          </ScopeButton>
        </div>
      </form>
      {isAdding && <AddToSuite runId={runId} onBack={() => setAdding(false)} />}
      {problem !== undefined && (
        <p class="form-problem" role="alert" data-testid="replay-problem">
          {problem}
        </p>
      )}
      {replay && <ReplayResult replay={replay} />}
    </section>
  );
}
