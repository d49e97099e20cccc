import { useState } from 'preact/hooks';
import type { Schemas } from './api_document';
import { useDocsTexts } from './docs_texts';
import { SchemaView } from './schema_view';
import { useGradually } from './use_gradually';
import { useScrollTo } from './use_scroll_to';

/** Address of the list of schemas on the page. */
export const SCHEMAS_PLACE = '/schemas';

/** Names that are drawn before the browser may answer. */
const NAMES_AT_ONCE = 40;

/** Lists the named schemas of the document. One opens to its fields. */
export function SchemaList({ schemas, place, search }: { schemas: Schemas; place: string; search: string }) {
  const texts = useDocsTexts();
  const heading = useScrollTo<HTMLHeadingElement>(place === SCHEMAS_PLACE);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const names = Object.keys(schemas).filter(name => words.every(word => name.toLowerCase().includes(word)));
  const drawn = useGradually(names.length, NAMES_AT_ONCE);
  if (names.length === 0) return null;
  return (
    <section class="api-group">
      <h2 ref={heading}>{texts.schemas}</h2>
      {names.slice(0, drawn).map(name => (
        <NamedSchema key={name} name={name} schemas={schemas} isNamed={place === `${SCHEMAS_PLACE}/${name}`} />
      ))}
    </section>
  );
}

function NamedSchema({ name, schemas, isNamed }: { name: string; schemas: Schemas; isNamed: boolean }) {
  const element = useScrollTo<HTMLDetailsElement>(isNamed);
  const [isOpen, setOpen] = useState(isNamed);
  const schema = schemas[name];
  return (
    <details class="named-schema" ref={element} open={isOpen || isNamed} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{name}</code>
      </summary>
      {isOpen && schema && <SchemaView schema={schema} schemas={schemas} />}
    </details>
  );
}
