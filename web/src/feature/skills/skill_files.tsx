import { useState } from 'preact/hooks';
import { MarkdownView } from '../../components/answer/markdown_view';
import { Icon } from '../../components/basic/icon';
import { ViewSpinner } from '../../components/basic/view_spinner';
import { useLocale, useMessages } from '../../i18n/language_context';
import { readSkillFile, type Skill, skillFileHref } from './skill_api';
import { skillTexts } from './skill_texts';

/** Lists the files beside SKILL.md. A text file opens in place. */
export function SkillFiles({ skill }: { skill: Skill }) {
  const texts = skillTexts[useLocale()];
  const files = skill.files.filter(path => path.toLowerCase() !== 'skill.md');
  if (files.length === 0) return null;
  return (
    <section class="skill-files">
      <h3>{texts.skillFiles}</h3>
      <ul>
        {files.map(path => (
          <li key={path}>
            <SkillFile name={skill.name} path={path} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `text` is undefined for a file that is not text or too large. */
type Reading = { state: 'closed' | 'loading' | 'failed' } | { state: 'read'; text: string | undefined };

function SkillFile({ name, path }: { name: string; path: string }) {
  const [reading, setReading] = useState<Reading>({ state: 'closed' });
  const isOpen = reading.state !== 'closed';
  const toggle = async () => {
    if (isOpen) return setReading({ state: 'closed' });
    setReading({ state: 'loading' });
    try {
      setReading({ state: 'read', text: await readSkillFile(name, path) });
    } catch {
      setReading({ state: 'failed' });
    }
  };
  return (
    <>
      <button type="button" class="skill-file" aria-expanded={isOpen} data-testid="skill-file" onClick={() => void toggle()}>
        <Icon name="read_file" />
        <span>{path}</span>
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen && <FileText reading={reading} path={path} href={skillFileHref(name, path)} />}
    </>
  );
}

function FileText({ reading, path, href }: { reading: Reading; path: string; href: string }) {
  const messages = useMessages();
  const texts = skillTexts[useLocale()];
  if (reading.state === 'loading') return <ViewSpinner />;
  if (reading.state !== 'read') {
    return (
      <p class="form-error" role="alert">
        {messages.requestFailed}
      </p>
    );
  }
  if (reading.text === undefined) {
    return (
      <p class="field-hint">
        {texts.notText}{' '}
        <a href={href} download>
          {texts.download}
        </a>
      </p>
    );
  }
  if (/\.(md|markdown)$/i.test(path)) {
    return (
      <div class="skill-file-text" data-testid="skill-file-text">
        <MarkdownView text={reading.text} done />
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre class="output skill-file-text" tabIndex={0} data-testid="skill-file-text">
      {reading.text}
    </pre>
  );
}
