import { memo } from '../components/memo';
import type { ApiAnswer, ApiGroup, ApiOperation } from './api_document';
import { CodeExample } from './code_example';
import { curlExamples } from './curl_example';
import { useDocument, useTexts } from './docs_context';
import { FieldTable, ParameterTable } from './field_table';
import { typeText } from './schema_rows';

export const OperationGroup = memo(({ group, anchor }: { group: ApiGroup; anchor: string }) => {
  const texts = useTexts();
  return (
    <section class="docs-group" aria-labelledby={`group-${group.name}`}>
      <h2 id={`group-${group.name}`}>{texts.groups[group.name] ?? group.name}</h2>
      <p class="docs-lead">{group.description}</p>
      {group.operations.map(operation => (
        <OperationView key={operation.anchor} operation={operation} isCurrent={operation.anchor === anchor} />
      ))}
    </section>
  );
});

function OperationView({ operation, isCurrent }: { operation: ApiOperation; isCurrent: boolean }) {
  const texts = useTexts();
  const { anchor, method, path, summary, description, parameters, body, answers } = operation;
  return (
    <article id={anchor} class={isCurrent ? 'operation current' : 'operation'} data-testid="operation" aria-labelledby={`${anchor}-title`}>
      <h3 id={`${anchor}-title`}>
        {summary}
        <a class="docs-anchor" href={`#${anchor}`} aria-label={texts.linkTo(summary)}>
          #
        </a>
      </h3>
      <p class="operation-address">
        <span class={`docs-method ${method}`}>{method.toUpperCase()}</span>
        <code>{path}</code>
      </p>
      {description && <p>{description}</p>}
      {parameters.length > 0 && <ParameterTable title={texts.parameters} parameters={parameters} />}
      {body && <FieldTable title={texts.body} schema={body} />}
      <h4>{texts.answers}</h4>
      {answers.map(answer => (
        <AnswerView key={answer.status} answer={answer} />
      ))}
      <h4>{texts.example}</h4>
      {curlExamples(operation, location.origin).map(({ kind, command }, _, all) => (
        <CodeExample key={kind} label={all.length > 1 ? texts.examples[kind] : ''} command={command} />
      ))}
    </article>
  );
}

function AnswerView({ answer: { status, description, json, isStream } }: { answer: ApiAnswer }) {
  const document = useDocument();
  const texts = useTexts();
  const rows = json?.properties?.['data'] ?? json;
  const type = rows && (json?.properties?.['data'] ? `{ data: ${typeText(rows, document)}, nextCursor? }` : typeText(rows, document));
  return (
    <details class="answer">
      <summary>
        <span class="answer-status">{status}</span> {description}
        {type && <code>{type}</code>}
        {isStream && <span class="answer-stream">{texts.orStream}</span>}
      </summary>
      {rows && <FieldTable schema={rows} isAnswer />}
    </details>
  );
}
