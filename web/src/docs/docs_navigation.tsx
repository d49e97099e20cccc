import { useLocale } from '../i18n/language_context';
import type { ApiGroup } from './api_document';
import { useTexts } from './docs_context';
import { GUIDES, guideAnchor, guideOf } from './guides';

/** The guides and the operations as a list of links: beside the text, or a closed box above it on small screens. */
export function DocsNavigation({ groups, anchor }: { groups: readonly ApiGroup[]; anchor: string }) {
  const texts = useTexts();
  return (
    <>
      <nav class="docs-navigation" aria-label={texts.contents}>
        <Links groups={groups} anchor={anchor} />
      </nav>
      <details class="docs-contents">
        <summary>{texts.contents}</summary>
        <Links groups={groups} anchor={anchor} />
      </details>
    </>
  );
}

function Links({ groups, anchor }: { groups: readonly ApiGroup[]; anchor: string }) {
  const texts = useTexts();
  const locale = useLocale();
  const opened = guideOf(anchor)?.name;
  return (
    <>
      <section>
        <p class="docs-navigation-group">{texts.guides}</p>
        <ul>
          {GUIDES.map(({ name, title }) => (
            <li key={name}>
              <a href={`#${guideAnchor({ name })}`} aria-current={name === opened ? 'page' : undefined}>
                <span class="docs-dot" aria-hidden="true" />
                {title[locale]}
              </a>
            </li>
          ))}
        </ul>
      </section>
      {groups.map(group => (
        <section key={group.name}>
          <p class="docs-navigation-group">{texts.groups[group.name] ?? group.name}</p>
          <ul>
            {group.operations.map(operation => (
              <li key={operation.anchor}>
                <a href={`#${operation.anchor}`} aria-current={operation.anchor === anchor ? 'location' : undefined}>
                  <span class={`docs-dot ${operation.method}`} aria-hidden="true" />
                  {operation.summary}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <ul>
          <li>
            <a href="#errors" aria-current={anchor === 'errors' ? 'location' : undefined}>
              <span class="docs-dot" aria-hidden="true" />
              {texts.errors}
            </a>
          </li>
        </ul>
      </section>
    </>
  );
}
