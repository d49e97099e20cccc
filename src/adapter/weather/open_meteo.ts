/** Weather from Open-Meteo: one request finds the place, the next its forecast. */
import { type Weather, type WeatherService, WeatherServiceError } from '../../port/weather';
import { isTransientStatus, type PageFetcher } from '../../port/web';
import { readForeignJson } from '../../utils/foreign_json';
import { placeName } from '../../utils/place_name';

type JsonObject = Record<string, unknown>;

const CURRENT = ['temperature_2m', 'apparent_temperature', 'relative_humidity_2m', 'wind_speed_10m', 'weather_code'];
const DAILY = ['weather_code', 'temperature_2m_min', 'temperature_2m_max', 'precipitation_probability_max'];
const DAYS = 3;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/;

/** `baseUrl`: a server that answers both requests in place of the public service. */
export function createOpenMeteo(fetcher: PageFetcher, baseUrl?: string): WeatherService {
  const own = baseUrl?.replace(/\/+$/, '');
  const servers = {
    geocoding: `${own ?? 'https://geocoding-api.open-meteo.com'}/v1/search`,
    forecast: `${own ?? 'https://api.open-meteo.com'}/v1/forecast`,
  };
  return { findWeather: (city, language, signal) => findWeather(fetcher, { city, language, servers }, signal) };
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

async function getJson(fetcher: PageFetcher, address: string, query: Record<string, string>, signal: AbortSignal): Promise<JsonObject> {
  const page = await fetcher.fetch(`${address}?${new URLSearchParams(query)}`, signal);
  if (page.status !== 200) {
    throw new WeatherServiceError(
      `The weather service answered with status ${page.status}.`,
      `天气服务返回了状态 ${page.status}。`,
      isTransientStatus(page.status),
    );
  }
  try {
    const value = objectOf(readForeignJson(page.bytes));
    if (value) return value;
  } catch {
    // The error below covers JSON that cannot be parsed, too.
  }
  throw new WeatherServiceError('The weather service answered with something that cannot be read.', '天气服务返回的内容无法读取。');
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
      // Some places have no probability of rain.
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
  throw new WeatherServiceError('The weather service left out a number that is needed.', '天气服务缺少需要的数字。');
}

function timeOf(value: unknown): string {
  if (typeof value === 'string' && TIME.test(value)) return value;
  throw new WeatherServiceError('The weather service gave a time that cannot be read.', '天气服务给出的时间无法读取。');
}
