import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SCOPES, type Scope } from '../../../../src/port/principal';
import { refusalOf } from '../../api/request_error';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../state/store';
import { useOps } from '../ops_controller';
import { useOpsTexts } from '../ops_words';
import { type ApiKey, keyApi } from './key_api';
import { keyTexts } from './key_texts';

interface KeyFormProps {
  /** True while there is no key at all. */
  isFirst: boolean;
  onMade: (key: ApiKey & { secret?: string }) => void;
  onBack: () => void;
}

const MAX_NAME = 64;

/** Makes a key. It offers the scopes that the person has: the gateway gives no others. */
export function KeyForm({ isFirst, onMade, onBack }: KeyFormProps) {
  const texts = keyTexts[useLocale()];
  const form = useKeyForm(isFirst, onMade);
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <form
      class="panel"
      aria-label={texts.newKey}
      data-testid="key-form"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {isFirst && <p class="field-note">{texts.firstKey}</p>}
      <div class="field">
        <label for="key-name">{texts.name}</label>
        <input
          ref={first}
          id="key-name"
          value={form.name}
          maxLength={MAX_NAME}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="key-name-note"
          data-testid="key-name"
          onInput={event => form.setName(event.currentTarget.value)}
        />
        <p id="key-name-note" class="field-note">
          {texts.nameNote}
        </p>
      </div>
      <ScopeBoxes chosen={form.scopes} onChange={form.setScopes} />
      <div class="field">
        <label for="key-expires">{texts.expires}</label>
        <input
          id="key-expires"
          type="datetime-local"
          value={form.expires}
          aria-describedby="key-expires-note"
          data-testid="key-expires"
          onInput={event => form.setExpires(event.currentTarget.value)}
        />
        <p id="key-expires-note" class="field-note">
          {texts.expiresNote}
        </p>
      </div>
      {form.problem && (
        <p class="form-problem" role="alert" data-testid="key-problem">
          {form.problem}
        </p>
      )}
      <div class="toolbar">
        <button type="submit" class="button primary" aria-disabled={form.isSending} data-testid="make-key">
          {texts.create}
        </button>
        <button type="button" class="button" onClick={onBack}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}

function ScopeBoxes({ chosen, onChange }: { chosen: readonly Scope[]; onChange: (scopes: readonly Scope[]) => void }) {
  const texts = keyTexts[useLocale()];
  const own = useStore(useOps().store, state => state.me?.scopes) ?? SCOPES;
  return (
    <fieldset class="field">
      <legend>{texts.scopes}</legend>
      <div class="check-row">
        {SCOPES.filter(scope => own.includes(scope)).map(scope => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              data-testid={`scope-${scope}`}
              onChange={event => onChange(event.currentTarget.checked ? [...chosen, scope] : chosen.filter(other => other !== scope))}
            />
            <span>
              <strong>{scope}</strong> <span class="field-note">{texts.scopeAbout[scope]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function useKeyForm(isFirst: boolean, onMade: KeyFormProps['onMade']) {
  const texts = keyTexts[useLocale()];
  const ops = useOpsTexts();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(isFirst ? SCOPES : ['chat']);
  const [expires, setExpires] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    if (isSending) return;
    if (name.trim() === '') return setProblem(`${texts.name}: ${texts.required}`);
    if (scopes.length === 0) return setProblem(texts.chooseScope);
    setSending(true);
    setProblem(undefined);
    try {
      onMade(await keyApi.create({ name: name.trim(), scopes, ...(expires && { expiresAt: new Date(expires).toISOString() }) }));
    } catch (error) {
      setProblem(refusalOf(error) ?? ops.failed);
      setSending(false);
    }
  };
  return { name, setName, scopes, setScopes, expires, setExpires, problem, isSending, submit };
}
