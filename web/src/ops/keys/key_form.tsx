import { useState } from 'preact/hooks';
import { SCOPES, type Scope } from '../../../../src/port/principal';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { FormFrame, useSubmission } from '../parts/form_frame';
import { useOps } from '../shared/ops_controller';
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
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(isFirst ? SCOPES : ['chat']);
  const [expires, setExpires] = useState('');
  const check = () => {
    if (name.trim() === '') return `${texts.name}: ${texts.required}`;
    return scopes.length === 0 ? texts.chooseScope : undefined;
  };
  const form = useSubmission(check, async () =>
    onMade(await keyApi.create({ name: name.trim(), scopes, expiresAt: expires ? new Date(expires).toISOString() : undefined })),
  );
  return (
    <FormFrame name="key" label={texts.newKey} action={texts.create} form={form} onBack={onBack}>
      {isFirst && <p class="field-note">{texts.firstKey}</p>}
      <div class="field">
        <label for="key-name">{texts.name}</label>
        <input
          id="key-name"
          value={name}
          maxLength={MAX_NAME}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="key-name-note"
          data-testid="key-name"
          onInput={event => setName(event.currentTarget.value)}
        />
        <p id="key-name-note" class="field-note">
          {texts.nameNote}
        </p>
      </div>
      <ScopeBoxes chosen={scopes} onChange={setScopes} />
      <div class="field">
        <label for="key-expires">{texts.expires}</label>
        <input
          id="key-expires"
          type="datetime-local"
          value={expires}
          aria-describedby="key-expires-note"
          data-testid="key-expires"
          onInput={event => setExpires(event.currentTarget.value)}
        />
        <p id="key-expires-note" class="field-note">
          {texts.expiresNote}
        </p>
      </div>
    </FormFrame>
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
