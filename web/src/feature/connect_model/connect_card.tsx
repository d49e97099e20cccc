import { useId } from 'preact/hooks';
import { InputField, SelectField } from '../../components/basic/form_field';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ModelProvider } from './connect_api';
import './connect_card.css';
import { connectTexts } from './connect_texts';
import { type ConnectFormState, useConnectForm } from './use_connect_form';

interface ConnectCardProps {
  onConnected: () => void;
  onBack: () => void;
}

/** Connects a model server: first checks address and key, then asks the chosen model for one word. */
export function ConnectCard({ onConnected, onBack }: ConnectCardProps) {
  const messages = useMessages();
  const locale = useLocale();
  const texts = connectTexts[locale];
  const form = useConnectForm(onConnected, texts.failed);
  const { isBusy, models, problem, providers } = form;
  const action = models ? (isBusy ? texts.connecting : texts.connect) : isBusy && providers ? texts.checking : texts.check;
  return (
    <form
      class="connect-card"
      aria-label={texts.title}
      data-testid="connect-card"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        form.submit();
      }}
    >
      <h3>{texts.title}</h3>
      <p class="field-hint">{joinSentences(locale, texts.about, texts.setup)}</p>
      <ServerInputs form={form} />
      {models && <ModelInput form={form} models={models} />}
      {problem && (
        <p class="form-error" role="alert" data-testid="connect-problem">
          {problem}
        </p>
      )}
      <div class="connect-actions">
        <button type="button" class="button" onClick={onBack}>
          {messages.cancel}
        </button>
        <button
          type="submit"
          class="button primary"
          disabled={isBusy || !providers || (models !== undefined && form.fields.model.trim() === '')}
          data-testid="connect-submit"
        >
          {action}
        </button>
      </div>
    </form>
  );
}

function ServerInputs({ form }: { form: ConnectFormState }) {
  const texts = connectTexts[useLocale()];
  const { fields, provider, providers = [] } = form;
  const showsAddress = provider !== undefined && (provider.baseUrl === undefined || !provider.needsKey);
  return (
    <>
      <SelectField
        label={texts.provider}
        value={fields.provider}
        options={providers.map(found => ({ value: found.id, text: nameOf(found, texts) }))}
        testId="connect-provider"
        onChange={value => form.change({ provider: value })}
      />
      {showsAddress && (
        <InputField
          label={texts.address}
          hint={texts.addressHint}
          value={fields.baseUrl || (provider?.baseUrl ?? '')}
          problem={undefined}
          testId="connect-address"
          input={{ type: 'url', spellcheck: false }}
          onInput={value => form.change({ baseUrl: value })}
        />
      )}
      <InputField
        label={texts.key}
        hint={provider?.needsKey ? undefined : texts.keyOptional}
        value={fields.apiKey}
        problem={undefined}
        testId="connect-key"
        input={{ type: 'password', spellcheck: false, autocomplete: 'off' }}
        onInput={value => form.change({ apiKey: value })}
      />
      {provider?.keyPage && (
        <a class="connect-key-page" href={provider.keyPage} target="_blank" rel="noreferrer noopener">
          {texts.keyPage}
        </a>
      )}
    </>
  );
}

function ModelInput({ form, models }: { form: ConnectFormState; models: readonly string[] }) {
  const texts = connectTexts[useLocale()];
  const listId = useId();
  return (
    <>
      <InputField
        label={texts.model}
        hint={texts.modelHint(models.length)}
        value={form.fields.model}
        problem={undefined}
        testId="connect-model"
        input={{ list: listId, spellcheck: false, autocomplete: 'off' }}
        onInput={value => form.change({ model: value })}
      />
      <datalist id={listId}>
        {models.map(model => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  );
}

const nameOf = ({ id, label, models }: ModelProvider, { other, running }: (typeof connectTexts)['en']): string =>
  id === 'other' ? other : models ? running(label, models.length) : label;
