/** Weather of a city from Open-Meteo, or made up when the settings say so. */
import { isTransientStatus, type PageFetcher } from '../../port/web';
import { clipStart } from '../../utils/clip_text';
import { readForeignJson } from '../../utils/foreign_json';

export interface Weather {
  /** As the service names it, with its country: letters, digits and little else, on one line. */
  place: string;
  /** Local time of the observation, ISO 8601 without a zone. */
  time: string;
  /** Degrees Celsius. */
  temperature: number;
  feelsLike: number;
  /** Percent. */
  humidity: number;
  /** km/h. */
  windSpeed: number;
  /** WMO code of the present weather. */
  code: number;
  /** The next days, today first. */
  days: { date: string; code: number; low: number; high: number; rainChance: number }[];
  /** The numbers mean nothing. */
  isSimulated: boolean;
}

export interface WeatherService {
  /** Undefined: no such place. Rejects WeatherServiceError, WebError, or the signal's reason. */
  find(city: string, language: 'en' | 'zh', signal: AbortSignal): Promise<Weather | undefined>;
}

/** The service answered with something that is no weather; its message is for people. */
export class WeatherServiceError extends Error {
  constructor(
    message: string,
    /** The same may succeed a moment later. */
    readonly isTransient = false,
  ) {
    super(message);
  }
}

/** The name of a place as it may be shown: a stranger chose it, and a name has no lines, tags or markup. */
export const placeName = (text: string): string =>
  clipStart(
    text
      .slice(0, 10 * MAX_NAME_UNITS)
      .replace(NOT_IN_NAMES, ' ')
      .trim(),
    MAX_NAME_UNITS,
  );

type JsonObject = Record<string, unknown>;

const CURRENT = ['temperature_2m', 'apparent_temperature', 'relative_humidity_2m', 'wind_speed_10m', 'weather_code'];
const DAILY = ['weather_code', 'temperature_2m_min', 'temperature_2m_max', 'precipitation_probability_max'];
const DAYS = 3;
const MAX_NAME_UNITS = 80;
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N}'’.,()·/-]+/gu;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/;

/** Two requests a city, to the public service or to a server of one's own that answers both under the base address given. */
export function createOpenMeteo(fetcher: PageFetcher, baseUrl?: string): WeatherService {
  const own = baseUrl?.replace(/\/+$/, '');
  const servers = {
    geocoding: `${own ?? 'https://geocoding-api.open-meteo.com'}/v1/search`,
    forecast: `${own ?? 'https://api.open-meteo.com'}/v1/forecast`,
  };
  return { find: (city, language, signal) => findWeather(fetcher, { city, language, servers }, signal) };
}

/** The same numbers for the same city; nothing is measured. */
export function createSimulatedWeather(clock: { now(): number }): WeatherService {
  return { find: async city => simulateWeather(city, new Date(clock.now())) };
}

async function findWeather(
  fetcher: PageFetcher,
  query: { city: string; language: string; servers: { geocoding: string; forecast: string } },
  signal: AbortSignal,
): Promise<Weather | undefined> {
  const { city, language, servers } = query;
  const found = await getJson(fetcher, servers.geocoding, { name: city, count: '1', language, format: 'json' }, signal);
  const place = Array.isArray(found['results']) ? objectOf(found['results'][0]) : undefined;
  if (!place) return undefined;
  const { latitude, longitude, name, country } = place;
  const forecast = await getJson(
    fetcher,
    servers.forecast,
    {
      latitude: String(numberOf(latitude)),
      longitude: String(numberOf(longitude)),
      current: CURRENT.join(','),
      daily: DAILY.join(','),
      timezone: 'auto',
      forecast_days: String(DAYS),
    },
    signal,
  );
  const names = [name, country].flatMap(part => (typeof part === 'string' && placeName(part)) || []);
  return toWeather(names.join(', '), forecast);
}

function simulateWeather(city: string, now: Date): Weather {
  const seed = [...city].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973, 7);
  const temperature = (seed % 35) - 3;
  const days = Array.from({ length: DAYS }, (_, day) => ({
    date: new Date(now.getTime() + day * 86_400_000).toISOString().slice(0, 10),
    code: (seed + day) % 4,
    low: temperature - 4,
    high: temperature + 4 + day,
    rainChance: (seed * (day + 3)) % 101,
  }));
  const time = now.toISOString().slice(0, 16);
  const windSpeed = seed % 40;
  return {
    place: placeName(city),
    time,
    temperature,
    feelsLike: temperature - 1,
    humidity: 30 + (seed % 60),
    windSpeed,
    code: seed % 4,
    days,
    isSimulated: true,
  };
}

async function getJson(fetcher: PageFetcher, address: string, query: Record<string, string>, signal: AbortSignal): Promise<JsonObject> {
  const page = await fetcher.fetch(`${address}?${new URLSearchParams(query)}`, signal);
  if (page.status !== 200) {
    throw new WeatherServiceError(`The weather service answered with status ${page.status}.`, isTransientStatus(page.status));
  }
  try {
    const value = objectOf(readForeignJson(page.bytes));
    if (value) return value;
  } catch {
    // Said below.
  }
  throw new WeatherServiceError('The weather service answered with something that cannot be read.');
}

function toWeather(place: string, forecast: JsonObject): Weather {
  const current = objectOf(forecast['current']) ?? {};
  const daily = objectOf(forecast['daily']) ?? {};
  const dates = listOf(daily['time']);
  return {
    place,
    time: timeOf(current['time']),
    temperature: numberOf(current['temperature_2m']),
    feelsLike: numberOf(current['apparent_temperature']),
    humidity: numberOf(current['relative_humidity_2m']),
    windSpeed: numberOf(current['wind_speed_10m']),
    code: numberOf(current['weather_code']),
    days: dates.slice(0, DAYS).map((date, day) => ({
      date: timeOf(date),
      code: numberOf(listOf(daily['weather_code'])[day]),
      low: numberOf(listOf(daily['temperature_2m_min'])[day]),
      high: numberOf(listOf(daily['temperature_2m_max'])[day]),
      // Not known everywhere.
      rainChance: numberOf(listOf(daily['precipitation_probability_max'])[day] ?? 0),
    })),
    isSimulated: false,
  };
}

const objectOf = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function numberOf(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new WeatherServiceError('The weather service left out a number that is needed.');
}

function timeOf(value: unknown): string {
  if (typeof value === 'string' && TIME.test(value)) return value;
  throw new WeatherServiceError('The weather service gave a time that cannot be read.');
}
