import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Tries patterns on texts: a line of each has both in base64. Prints whether the pattern is found in the text, and whether it fits all of it. */
public final class Patterns {
  public static void main(String[] arguments) throws Exception {
    String lines = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    StringBuilder answers = new StringBuilder();
    for (String line : lines.split("\n")) {
      String[] parts = line.split(",", -1);
      var matcher = Pattern.compile(decoded(parts[0])).matcher(decoded(parts[1]));
      answers.append(matcher.find() ? 1 : 0).append(matcher.reset().matches() ? 1 : 0).append('\n');
    }
    System.out.print(answers);
  }

  private static String decoded(String part) {
    return new String(Base64.getDecoder().decode(part), StandardCharsets.UTF_8);
  }
}
