import { useEffect, useState } from 'preact/hooks';
import type { Answer, Operation, Parameter, Schemas } from './api_document';
import { nameType } from './api_document';
import { useDocsTexts } from './docs_texts';
import { InlineCode } from './inline_code';
import { Inner, SchemaView } from './schema_view';
import { TryIt } from './try_it';
import { useScrollTo } from './use_scroll_to';

interface OperationProps {
  operation: Operation;
  schemas: Schemas;
  apiKey: string;
  /** True when the address of the page names the operation. */
  isNamed: boolean;
}

/** Shows one operation: a line that opens to everything about it. */
export function OperationView({ operation, schemas, apiKey, isNamed }: OperationProps) {
  const { method, path, summary } = operation;
  const [isOpen, setOpen] = useState(isNamed);
  const element = useScrollTo<HTMLElement>(isNamed);
  useEffect(() => {
    if (isNamed) setOpen(true);
  }, [isNamed]);
  return (
    <article class="operation" ref={element} data-testid="operation" data-operation={`${method} ${path}`}>
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class={`method ${method.toLowerCase()}`}>{method}</span>
          <code>{path}</code>
          <span class="operation-summary">{summary}</span>
        </button>
      </h3>
      {isOpen && <OperationDetails operation={operation} schemas={schemas} apiKey={apiKey} />}
    </article>
  );
}

function OperationDetails({ operation, schemas, apiKey }: Omit<OperationProps, 'isNamed'>) {
  const texts = useDocsTexts();
  const { id, group, description, scope, parameters, body, answers } = operation;
  return (
    <div class="operation-details">
      {description && (
        <p>
          <InlineCode text={description} />
        </p>
      )}
      <p class="operation-facts">
        <a href={`#/${group}/${id}`}>{id}</a>
        {scope && ` · ${texts.scope(scope)}`}
      </p>
      <TryIt operation={operation} schemas={schemas} apiKey={apiKey} />
      {parameters.length > 0 && <ParameterList parameters={parameters} schemas={schemas} />}
      {body?.schema && (
        <>
          <h4>{texts.body}</h4>
          <SchemaView schema={body.schema} schemas={schemas} />
        </>
      )}
      <AnswerList answers={answers} schemas={schemas} />
    </div>
  );
}

function ParameterList({ parameters, schemas }: { parameters: readonly Parameter[]; schemas: Schemas }) {
  const texts = useDocsTexts();
  return (
    <>
      <h4>{texts.parameters}</h4>
      <ul class="fields">
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <li key={place + name}>
            <code class="field-name">{name}</code>{' '}
            <span class="field-type">
              {texts.places[place]}
              {schema && ` · ${nameType(schema, schemas)}`}
            </span>
            {required && <strong class="field-required"> {texts.required}</strong>}
            <div>
              <InlineCode text={description ?? schema?.description ?? ''} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function AnswerList({ answers, schemas }: { answers: readonly Answer[]; schemas: Schemas }) {
  const texts = useDocsTexts();
  return (
    <>
      <h4>{texts.answers}</h4>
      <ul class="fields">
        {answers.map(({ status, description, schema }) => (
          <li key={status}>
            <code class="field-name">{status}</code> <InlineCode text={description} />
            {schema && Number(status) < 400 && (
              <Inner title={nameType(schema, schemas)}>{() => <SchemaView schema={schema} schemas={schemas} />}</Inner>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
