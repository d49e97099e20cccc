import type { ChatController } from '../../chat/chat_controller';
import { SelectField } from '../../components/basic/form_field';
import { useLocale } from '../../i18n/language_context';
import { listSpeechWays, type SpeechWay } from '../../platform/speech_ways';
import { useStore } from '../../platform/store';
import { useVoices } from './read_button';
import { listSpokenLanguages } from './spoken_language';
import { type VoiceTexts, voiceTexts } from './voice_texts';

/** Says where spoken words go, lets the person choose where there is a choice, and switches the reading of answers. */
export function VoiceSettings({ controller }: { controller: ChatController }) {
  const { preferences, store } = controller;
  const texts = voiceTexts[useLocale()];
  const model = useStore(store, state => state.info?.transcription?.model);
  const { speechWay, readSpoken } = useStore(preferences, state => state);
  const hasVoices = useVoices();
  const ways = listSpeechWays(model !== undefined);
  const way = ways.find(other => other === speechWay) ?? ways[0];
  return (
    <>
      {way && ways.length > 1 ? (
        <SelectField
          label={texts.way}
          hint={whereOf(way, model, texts)}
          value={way}
          options={ways.map(value => ({ value, text: texts.ways[value] }))}
          testId="setting-speech-way"
          onChange={value => preferences.set({ speechWay: value })}
        />
      ) : (
        <p class="settings-about" data-testid="speech-way">
          {way ? whereOf(way, model, texts) : texts.noWay}
        </p>
      )}
      {way && <LanguageField controller={controller} way={way} />}
      <label class="settings-check">
        <input
          type="checkbox"
          checked={readSpoken === 'on'}
          disabled={!hasVoices}
          data-testid="setting-read-spoken"
          onChange={event => preferences.set({ readSpoken: event.currentTarget.checked ? 'on' : 'off' })}
        />
        {texts.readSpoken}
      </label>
      <p class="field-hint">{hasVoices ? texts.readAbout : texts.noVoices}</p>
    </>
  );
}

function LanguageField({ controller: { preferences }, way }: { controller: ChatController; way: SpeechWay }) {
  const locale = useLocale();
  const texts = voiceTexts[locale];
  const chosen = useStore(preferences, state => state.speechLanguage);
  const names = new Intl.DisplayNames([locale], { type: 'language' });
  const listed = listSpokenLanguages();
  const languages = chosen === '' || listed.includes(chosen) ? listed : [chosen, ...listed];
  return (
    <SelectField
      label={texts.spokenLanguage}
      hint={texts.automaticAbout[way]}
      value={chosen}
      options={[{ value: '', text: texts.automatic }, ...languages.map(value => ({ value, text: names.of(value) ?? value }))]}
      testId="setting-speech-language"
      onChange={value => preferences.set({ speechLanguage: value })}
    />
  );
}

const whereOf = (way: SpeechWay, model: string | undefined, texts: VoiceTexts): string =>
  way === 'gateway' ? texts.whereGateway(model ?? '') : texts.whereBrowser;
