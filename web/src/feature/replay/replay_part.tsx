import { useRef, useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale, useMessages } from '../../i18n/language_context';
import { OpsLink } from '../../ops/parts/ops_link';
import { ScopeButton } from '../../ops/parts/scope_button';
import { useOps, usePlace } from '../../ops/shared/ops_controller';
import { useStore } from '../../platform/store';
import { useScope } from '../../state/scope_context';
import { AddToSuite } from './add_to_suite';
import { AgentField, ModelField } from './model_field';
import { type Replay, type ReplayOptions, replayRun } from './replay_api';
import { ReplayResult } from './replay_result';
import { replayTexts } from './replay_texts';
import './replay.css';

interface ReplayPartProps {
  runId: string;
  tenantId: string;
  /** Of a temporary chat nothing is kept, so its runs are no cases. */
  isTemporary: boolean;
}

/** Replays an ended run and compares it, and makes it a case of a suite. Runs of other tenants are replayed by admins, and are no cases. */
export function ReplayPart({ runId, tenantId, isTemporary }: ReplayPartProps) {
  const locale = useLocale();
  const texts = replayTexts[locale];
  const ownTenant = useStore(useOps().store, state => state.me?.tenant);
  const isForeign = ownTenant !== undefined && tenantId !== ownTenant;
  const isRefused = !useScope('operator') && isForeign;
  return (
    <section aria-labelledby="replay-heading" data-testid="replay">
      <h2 id="replay-heading">{texts.title}</h2>
      <p class="field-note">
        {isRefused
          ? texts.foreign(tenantId)
          : isForeign
            ? joinSentences(locale, texts.about, texts.foreignForAdmin(tenantId))
            : texts.about}
      </p>
      {!isRefused && <ReplayForm runId={runId} isForeign={isForeign} mayBeCase={!isForeign && !isTemporary} />}
    </section>
  );
}

const AS_RECORDED: ReplayOptions = { model: '', agent: '', prompt: '', isLive: false };

function ReplayForm({ runId, isForeign, mayBeCase }: { runId: string; isForeign: boolean; mayBeCase: boolean }) {
  const texts = replayTexts[useLocale()];
  const messages = useMessages();
  const [options, setOptions] = useState(AS_RECORDED);
  const [isBusy, setBusy] = useState(false);
  const [replay, setReplay] = useState<Replay>();
  const [problem, setProblem] = useState<string>();
  const suite = useCaseForm();
  const start = async () => {
    setBusy(true);
    setProblem(undefined);
    setReplay(undefined);
    try {
      setReplay(await replayRun(runId, { ...options, prompt: options.prompt.trim() }, { isForeign }));
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.notRead);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <form class="replay-form" onSubmit={event => event.preventDefault()}>
        <OptionFields options={options} mayRunTools={!isForeign} onChange={change => setOptions({ ...options, ...change })} />
        <div class="toolbar" ref={suite.toolbar}>
          <ScopeButton scope="chat" isBusy={isBusy} isPrimary testId="replay-run" onClick={() => void start()}>
            {isBusy ? texts.replaying : texts.replay}
          </ScopeButton>
          {mayBeCase && (
            <ScopeButton scope="chat" testId="add-to-suite" onClick={suite.open}>
              {texts.addToSuite}
            </ScopeButton>
          )}
        </div>
      </form>
      {mayBeCase && suite.isOpen && <AddToSuite runId={runId} onBack={() => suite.close()} onAdded={suite.close} />}
      <p role="status">
        {suite.added !== undefined && (
          <span data-testid="case-added">
            {texts.added(suite.added)}{' '}
            <OpsLink screen="suites" query={{ suite: suite.added }}>
              {texts.openSuite}
            </OpsLink>
          </span>
        )}
      </p>
      {problem !== undefined && (
        <p class="form-problem" role="alert" data-testid="replay-problem">
          {problem}
        </p>
      )}
      {replay && <ReplayResult replay={replay} />}
    </>
  );
}

/** The form of a new case, which the address may open. The button that opens it has the focus when it has closed. */
function useCaseForm() {
  const { query } = usePlace();
  const toolbar = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(query['suite'] === 'add');
  const [added, setAdded] = useState<string>();
  const open = () => {
    setAdded(undefined);
    setOpen(true);
  };
  const close = (suite?: string) => {
    setAdded(suite);
    setOpen(false);
    toolbar.current?.querySelector<HTMLElement>('button:last-child')?.focus();
  };
  return { toolbar, isOpen, added, open, close };
}

interface OptionFieldsProps {
  options: ReplayOptions;
  mayRunTools: boolean;
  onChange: (change: Partial<ReplayOptions>) => void;
}

function OptionFields({ options, mayRunTools, onChange }: OptionFieldsProps) {
  const texts = replayTexts[useLocale()];
  const hasTools = useScope('tools') && mayRunTools;
  return (
    <>
      <ModelField value={options.model} onChange={model => onChange({ model })} />
      <details>
        <summary>{texts.change}</summary>
        <AgentField value={options.agent} onChange={agent => onChange({ agent })} />
        <div class="field">
          <label for="replay-prompt">{texts.prompt}</label>
          <textarea
            id="replay-prompt"
            rows={5}
            value={options.prompt}
            data-testid="replay-prompt"
            onInput={event => onChange({ prompt: event.currentTarget.value })}
          />
        </div>
        {hasTools && (
          <div class="check-row">
            <label>
              <input
                type="checkbox"
                checked={options.isLive}
                data-testid="replay-live"
                onChange={event => onChange({ isLive: event.currentTarget.checked })}
              />
              <span>{texts.liveTools}</span>
            </label>
          </div>
        )}
      </details>
    </>
  );
}
