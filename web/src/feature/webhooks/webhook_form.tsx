import { useState } from 'preact/hooks';
import { WEBHOOK_EVENTS } from '../../../../src/port/webhook_sender';
import { useLocale } from '../../i18n/language_context';
import { FormFrame, useSubmission } from '../../ops/parts/form_frame';
import { type Webhook, webhookApi } from './webhook_api';
import { webhookTexts } from './webhook_texts';

interface WebhookFormProps {
  onMade: (webhook: Webhook & { secret?: string }) => void;
  onBack: () => void;
}

const EVENTS: Webhook['events'] = [...WEBHOOK_EVENTS];
const MAX_URL = 2_000;

export function WebhookForm({ onMade, onBack }: WebhookFormProps) {
  const texts = webhookTexts[useLocale()];
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<Webhook['events']>(EVENTS);
  const check = () => (url.trim() === '' ? `${texts.url}: ${texts.required}` : undefined);
  const form = useSubmission(check, async () =>
    onMade(await webhookApi.create({ url: url.trim(), events: events.length > 0 ? events : undefined })),
  );
  return (
    <FormFrame name="webhook" label={texts.newWebhook} action={texts.createWebhook} form={form} onBack={onBack}>
      <div class="field">
        <label for="webhook-url">{texts.url}</label>
        <input
          id="webhook-url"
          type="url"
          value={url}
          maxLength={MAX_URL}
          aria-describedby="webhook-url-note"
          data-testid="webhook-url"
          onInput={event => setUrl(event.currentTarget.value)}
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
                checked={events.includes(event)}
                onChange={({ currentTarget: { checked } }) =>
                  setEvents(checked ? [...events, event] : events.filter(other => other !== event))
                }
              />
              {event}
            </label>
          ))}
        </div>
      </fieldset>
    </FormFrame>
  );
}
