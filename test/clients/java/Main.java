package roomscribe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import roomscribe.api.InsightsApi;
import roomscribe.api.TranscriptionsApi;
import roomscribe.model.BulkDeleteTranscriptions;
import roomscribe.model.CorrectSpeaker;
import roomscribe.model.CreateTranscription;
import roomscribe.model.Error;

/** Uses the client that openapi-generator makes for Java (library `native`). Prints what it got as JSON. */
public final class Main {
  private interface Call {
    void run() throws ApiException;
  }

  public static void main(String[] arguments) throws Exception {
    ObjectMapper json = new ObjectMapper();
    JsonNode world = json.readTree(arguments[0]);
    String token = world.get("token").asText();
    ApiClient client = new ApiClient();
    client.updateBaseUri(world.get("apiUrl").asText());
    client.setRequestInterceptor(request -> request.header("authorization", "Bearer " + token));
    TranscriptionsApi transcriptions = new TranscriptionsApi(client);
    InsightsApi insights = new InsightsApi(client);
    OffsetDateTime from = OffsetDateTime.parse(world.get("from").asText());
    OffsetDateTime to = OffsetDateTime.parse(world.get("to").asText());
    UUID ready = UUID.fromString(world.get("ready").asText());
    Map<String, Object> result = new LinkedHashMap<>();

    List<String> listed = new ArrayList<>();
    String cursor = null;
    do {
      var page = transcriptions.listTranscriptions(null, null, null, null, null, from, to, cursor, 1, "startDate:asc");
      page.getResults().forEach(each -> listed.add(each.getTranscriptionId().toString()));
      cursor = page.getCursor();
    } while (cursor != null);
    result.put("listed", listed);

    var got = transcriptions.getTranscription(ready);
    long start = got.getStartDate().toInstant().toEpochMilli();
    result.put("got", List.of(got.getState().getValue(), got.getDurationInSeconds(), start));
    var link = transcriptions.createAccessLink(ready, 60, "vtt");
    result.put("link", link.getAccessLink().toString());
    result.put("expires", link.getExpires());
    UUID recording = UUID.fromString(world.get("recordingId").asText());
    var created = transcriptions.createTranscriptionWithHttpInfo(new CreateTranscription().recordingId(recording), "java");
    result.put("created", created.getStatusCode());
    UUID spoken = UUID.fromString(world.get("spoken").asText());
    var corrected = transcriptions.correctSpeaker(spoken, "Speaker 1", new CorrectSpeaker().displayName("Ada"));
    result.put("corrected", List.of(corrected.getDisplayName(), corrected.getSource().getValue()));
    CreateTranscription unknown = new CreateTranscription().recordingId(new UUID(0, 1));
    result.put("refused", errorOf(() -> transcriptions.createTranscription(unknown, null)).getCode());
    Error wrong =
        errorOf(() -> transcriptions.listTranscriptions(null, null, null, null, null, null, null, "wrong", 1, null));
    result.put("issue", wrong.getIssues().get(0).getPath());

    List<Object> rooms = new ArrayList<>();
    for (var each : insights.listRoomInsights(null, null, null, from, to, null, 10, null).getResults()) {
      rooms.add(List.of(each.getRoomName(), each.getTotalParticipantMinutes(), each.getRating()));
    }
    result.put("rooms", rooms);
    var sessions = insights.listRoomSessionInsights(world.get("roomName").asText(), null, from, to, null, 10, null);
    List<Object> sessionFacts = new ArrayList<>();
    sessions.getResults().forEach(each -> sessionFacts.add(List.of(each.getRoomSessionId().toString(), each.getRating())));
    result.put("sessions", sessionFacts);
    UUID session = sessions.getResults().get(0).getRoomSessionId();
    var people = insights.listParticipants(session, null, null, 1, null);
    var others = insights.listParticipants(session, null, people.getCursor(), 1, null);
    String person = people.getResults().get(0).getParticipantId();
    result.put("people", List.of(person, others.getResults().get(0).getParticipantId()));
    var details = insights.getParticipant(session, person, from, to);
    result.put("samples", details.get(0).getSamples().getPacketLossSend());
    UUID unwanted = UUID.fromString(world.get("unwanted").asText());
    transcriptions.bulkDeleteTranscriptions(new BulkDeleteTranscriptions().addTranscriptionIdsItem(unwanted), null);
    System.out.println(json.writeValueAsString(result));
  }

  private static Error errorOf(Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException error) {
      return ApiClient.createDefaultObjectMapper().readValue(error.getResponseBody(), Error.class);
    }
    throw new IllegalStateException("The call was not refused.");
  }
}
