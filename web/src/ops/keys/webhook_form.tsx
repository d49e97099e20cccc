import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { useLocale } from '../../i18n/language_context';
import { useOpsTexts } from '../ops_words';
import { type Webhook, webhookApi } from './key_api';
import { keyTexts } from './key_texts';

interface WebhookFormProps {
  onMade: (webhook: Webhook & { secret?: string }) => void;
  onBack: () => void;
}

/** Events of the contract. */
const EVENTS = ['run.completed', 'run.failed', 'run.cancelled', 'run.waiting', 'budget.threshold'] as const;
const MAX_URL = 2_000;

export function WebhookForm({ onMade, onBack }: WebhookFormProps) {
  const texts = keyTexts[useLocale()];
  const form = useWebhookForm(onMade);
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <form
      class="panel"
      aria-label={texts.newWebhook}
      data-testid="webhook-form"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        void form.submit();
      }}
    >
      <div class="field">
        <label for="webhook-url">{texts.url}</label>
        <input
          ref={first}
          id="webhook-url"
          type="url"
          value={form.url}
          maxLength={MAX_URL}
          aria-describedby="webhook-url-note"
          data-testid="webhook-url"
          onInput={event => form.setUrl(event.currentTarget.value)}
        />
        <p id="webhook-url-note" class="field-note">
          {texts.urlNote}
        </p>
      </div>
      <fieldset class="field">
        <legend>{texts.events}</legend>
        <div class="check-row">
          {EVENTS.map(event => (
            <label key={event}>
              <input
                type="checkbox"
                checked={form.events.includes(event)}
                onChange={({ currentTarget: { checked } }) =>
                  form.setEvents(checked ? [...form.events, event] : form.events.filter(other => other !== event))
                }
              />
              {event}
            </label>
          ))}
        </div>
      </fieldset>
      {form.problem && (
        <p class="form-problem" role="alert" data-testid="webhook-problem">
          {form.problem}
        </p>
      )}
      <div class="toolbar">
        <button type="submit" class="button primary" aria-disabled={form.isSending} data-testid="make-webhook">
          {texts.createWebhook}
        </button>
        <button type="button" class="button" onClick={onBack}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}

function useWebhookForm(onMade: WebhookFormProps['onMade']) {
  const texts = keyTexts[useLocale()];
  const ops = useOpsTexts();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly string[]>(EVENTS);
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    if (isSending) return;
    if (url.trim() === '') return setProblem(`${texts.url}: ${texts.required}`);
    setSending(true);
    setProblem(undefined);
    try {
      onMade(await webhookApi.create({ url: url.trim(), ...(events.length > 0 && { events }) }));
    } catch (error) {
      setProblem(refusalOf(error) ?? ops.failed);
      setSending(false);
    }
  };
  return { url, setUrl, events, setEvents, problem, isSending, submit };
}
