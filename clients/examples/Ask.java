import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gives the agent a task and prints the result as JSON, with the HTTP client of the JDK as it comes (Java 11 or newer):
 *
 * <pre>NETA_URL=http://127.0.0.1:7001 NETA_API_KEY=... java Ask.java "list the files"</pre>
 */
public class Ask {
  public static void main(String[] args) throws Exception {
    String url = System.getenv().getOrDefault("NETA_URL", "http://127.0.0.1:7001");
    String key = System.getenv("NETA_API_KEY");
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/api/v1/runs"))
        .header("content-type", "application/json")
        // A repetition with the same key gives the same run.
        .header("idempotency-key", UUID.randomUUID().toString())
        .POST(HttpRequest.BodyPublishers.ofString("{\"input\":" + quote(String.join(" ", args)) + "}"));
    if (key != null && !key.isEmpty()) request.header("authorization", "Bearer " + key);
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.body());
    System.exit(answer.statusCode() == 200 && answer.body().contains("\"status\":\"completed\"") ? 0 : 1);
  }

  /** Writes a JSON string; a real program takes a JSON library. */
  private static String quote(String text) {
    Matcher special = Pattern.compile("[\\\\\"\\x00-\\x1f]").matcher(text);
    return '"' + special.replaceAll(found -> Matcher.quoteReplacement(String.format("\\u%04x", (int) found.group().charAt(0)))) + '"';
  }
}
