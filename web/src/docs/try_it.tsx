import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../components/basic/copy_button';
import { choicesOf, exampleOf, type Operation, type Parameter, type Schemas } from './api_document';
import { type ApiRequest, EXAMPLE_LANGUAGES, type ExampleLanguage, writeExample } from './code_examples';
import { useDocsTexts } from './docs_texts';
import { GATEWAY_URL } from './gateway_url';
import { type Filled, fieldOf, toRequest } from './request_form';
import { type Outcome, useSending } from './send_request';

interface TryItProps {
  operation: Operation;
  schemas: Schemas;
  apiKey: string;
}

/** Shows the request in code, with the address of this gateway, and sends it. */
export function TryIt({ operation, schemas, apiKey }: TryItProps) {
  const texts = useDocsTexts();
  const [filled, setFilled] = useState<Filled>(() => ({ body: writeBody(operation, schemas) }));
  const request = toRequest(operation, filled, GATEWAY_URL);
  const { outcome, isSending, send, stop } = useSending(apiKey);
  const isMissing = operation.parameters.some(parameter => parameter.in === 'path' && !filled[fieldOf(parameter)]);
  return (
    <section class="try-it">
      <h4>{texts.request}</h4>
      <Code request={request} />
      <form
        onSubmit={event => {
          event.preventDefault();
          void send(request);
        }}
      >
        <div class="request-fields">
          {operation.parameters.map(parameter => (
            <ParameterField
              key={fieldOf(parameter)}
              parameter={parameter}
              schemas={schemas}
              value={filled[fieldOf(parameter)] ?? ''}
              onFill={value => setFilled({ ...filled, [fieldOf(parameter)]: value })}
            />
          ))}
          {operation.body && (
            <BodyField mediaType={operation.body.mediaType} value={filled['body'] ?? ''} onFill={body => setFilled({ ...filled, body })} />
          )}
        </div>
        <div class="request-buttons">
          <button type="submit" class="button primary" disabled={isSending || isMissing} data-testid="send-request">
            {texts.send}
          </button>
          {isSending && (
            <button type="button" class="button" onClick={stop}>
              {texts.stop}
            </button>
          )}
          {isMissing && <small>{texts.missing}</small>}
        </div>
      </form>
      <div role="status">{outcome && <AnswerBox outcome={outcome} />}</div>
    </section>
  );
}

function AnswerBox({ outcome: { status, text, durationMs } }: { outcome: Outcome }) {
  return (
    <div class="api-answer" data-testid="api-answer">
      <p>
        <strong>{status}</strong> · {Math.round(durationMs)} ms
      </p>
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        <pre tabIndex={0}>{text}</pre>
      )}
    </div>
  );
}

function Code({ request }: { request: ApiRequest }) {
  const texts = useDocsTexts();
  const [language, setLanguage] = useState<ExampleLanguage>('curl');
  const code = writeExample(language, request);
  return (
    <div class="api-code" data-testid="api-example">
      <div class="code-bar">
        {EXAMPLE_LANGUAGES.map(name => (
          <button key={name} type="button" class="code-language" aria-pressed={name === language} onClick={() => setLanguage(name)}>
            {name}
          </button>
        ))}
        <CopyButton text={() => code} label={texts.copyCode} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
  schemas: Schemas;
  value: string;
  onFill: (value: string) => void;
}

function ParameterField({ parameter: { name, in: place, schema }, schemas, value, onFill }: ParameterFieldProps) {
  const texts = useDocsTexts();
  const id = useId();
  const choices = choicesOf(schema ?? {}, schemas);
  return (
    <div class="request-field">
      <label for={id}>
        <code>{name}</code> <small>{texts.places[place]}</small>
      </label>
      {choices ? (
        <select id={id} value={value} onChange={event => onFill(event.currentTarget.value)}>
          <option value="">–</option>
          {choices.map(choice => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input id={id} value={value} autocomplete="off" spellcheck={false} onInput={event => onFill(event.currentTarget.value)} />
      )}
    </div>
  );
}

function BodyField({ mediaType, value, onFill }: { mediaType: string; value: string; onFill: (value: string) => void }) {
  const texts = useDocsTexts();
  const id = useId();
  return (
    <div class="request-field body-field">
      <label for={id}>
        {texts.body} <small>{mediaType}</small>
      </label>
      <textarea
        id={id}
        rows={Math.min(16, value.split('\n').length + 1)}
        spellcheck={false}
        value={value}
        data-testid="request-body"
        onInput={event => onFill(event.currentTarget.value)}
      />
    </div>
  );
}

function writeBody({ body }: Operation, schemas: Schemas): string {
  return body?.schema && body.mediaType === 'application/json' ? JSON.stringify(exampleOf(body.schema, schemas), null, 2) : '';
}
