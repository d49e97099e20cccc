import { useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { FormFrame, useSubmission } from '../../ops/parts/form_frame';
import { useResource } from '../../ops/parts/use_resource';
import { type Hook, hookApi } from './hook_api';
import { hookTexts } from './hook_texts';

interface HookFormProps {
  onMade: (hook: Hook & { secret?: string }) => void;
  onBack: () => void;
}

const DEFAULT_AGENT = { name: 'default', label: 'default' };
const MAX_NAME = 100;
const MAX_TEMPLATE = 20_000;

export function HookForm({ onMade, onBack }: HookFormProps) {
  const texts = hookTexts[useLocale()];
  const agents = useResource('agents', hookApi.agents).data ?? [DEFAULT_AGENT];
  const [name, setName] = useState('');
  const [template, setTemplate] = useState('');
  const [agent, setAgent] = useState(DEFAULT_AGENT.name);
  const [isSame, setSame] = useState(false);
  const check = () => {
    if (name.trim() === '') return `${texts.name}: ${texts.required}`;
    return template.trim() === '' ? `${texts.template}: ${texts.required}` : undefined;
  };
  const form = useSubmission(check, async () =>
    onMade(await hookApi.create({ name: name.trim(), template, agent, session: isSame ? 'same' : 'new' })),
  );
  return (
    <FormFrame name="hook" label={texts.newHook} action={texts.createHook} form={form} onBack={onBack}>
      <div class="field">
        <label for="hook-name">{texts.name}</label>
        <input
          id="hook-name"
          value={name}
          maxLength={MAX_NAME}
          autocomplete="off"
          aria-describedby="hook-name-note"
          data-testid="hook-name"
          onInput={event => setName(event.currentTarget.value)}
        />
        <p id="hook-name-note" class="field-note">
          {texts.nameNote}
        </p>
      </div>
      <div class="field">
        <label for="hook-template">{texts.template}</label>
        <textarea
          id="hook-template"
          rows={4}
          value={template}
          maxLength={MAX_TEMPLATE}
          aria-describedby="hook-template-note"
          data-testid="hook-template"
          onInput={event => setTemplate(event.currentTarget.value)}
        />
        <p id="hook-template-note" class="field-note">
          {texts.templateNote}
        </p>
      </div>
      <div class="field">
        <label for="hook-agent">{texts.agent}</label>
        <select id="hook-agent" value={agent} data-testid="hook-agent" onChange={event => setAgent(event.currentTarget.value)}>
          {agents.map(({ name: value, label }) => (
            <option key={value} value={value}>
              {label ?? value}
            </option>
          ))}
        </select>
      </div>
      <div class="check-row">
        <label>
          <input type="checkbox" checked={isSame} data-testid="hook-same" onChange={event => setSame(event.currentTarget.checked)} />
          {texts.sameSession}
        </label>
      </div>
    </FormFrame>
  );
}
