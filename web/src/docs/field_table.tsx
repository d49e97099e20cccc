import type { Parameter, Schema } from './api_document';
import { useDocument, useTexts } from './docs_context';
import { limitText } from './docs_texts';
import { limitsOf, type SchemaRow, schemaRows, typeText } from './schema_rows';

interface Field extends SchemaRow {
  /** Where a parameter goes. */
  place?: string;
}

export function ParameterTable({ title, parameters }: { title: string; parameters: readonly Parameter[] }) {
  const document = useDocument();
  const texts = useTexts();
  const fields = parameters.map(({ name, in: place, required = false, description = '', schema }) => ({
    name,
    place: texts.places[place],
    depth: 0,
    type: typeText(schema, document),
    isRequired: required,
    limits: limitsOf(schema),
    ...(schema.default !== undefined && { default: JSON.stringify(schema.default) }),
    description,
  }));
  return <Table title={title} fields={fields} />;
}

/** Of a request the fields that must be there are marked, of an answer those that may be absent. */
export function FieldTable({ title, schema, isAnswer = false }: { title?: string; schema: Schema; isAnswer?: boolean }) {
  return <Table {...(title !== undefined && { title })} fields={schemaRows(schema, useDocument())} isAnswer={isAnswer} />;
}

/** What a field is: rows of a table on wide screens, blocks on narrow ones. */
function Table({ title, fields, isAnswer = false }: { title?: string; fields: readonly Field[]; isAnswer?: boolean }) {
  const texts = useTexts();
  if (fields.length === 0) return null;
  return (
    <>
      {title && <h4>{title}</h4>}
      <table class="fields">
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.type}</th>
            <th scope="col">{texts.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field, i) => (
            <FieldRow key={`${i}-${field.name}`} field={field} isAnswer={isAnswer} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function FieldRow({ field, isAnswer }: { field: Field; isAnswer: boolean }) {
  const texts = useTexts();
  const { name, depth, type, isRequired, limits, description, place } = field;
  const rules = [
    ...limits.map(limit => limitText(limit, texts)),
    ...(field.default === undefined ? [] : [texts.defaultsTo(field.default)]),
  ];
  return (
    <tr>
      <th scope="row" class={`depth-${Math.min(depth, 3)}`}>
        <code>{name}</code>
        {place && <span class="field-place">{place}</span>}
        {isRequired && !isAnswer && <span class="field-required">{texts.required}</span>}
        {!isRequired && isAnswer && <span class="field-place">{texts.optional}</span>}
      </th>
      <td>
        <code class="field-type">{type}</code>
      </td>
      <td>
        {description}
        {rules.length > 0 && <span class="field-rules">{rules.join(' · ')}</span>}
      </td>
    </tr>
  );
}
