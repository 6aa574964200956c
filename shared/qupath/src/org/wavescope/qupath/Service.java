package org.wavescope.qupath;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.URI;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.wavescope.qupath.ServiceException.Kind.BAD_ANSWER;
import static org.wavescope.qupath.ServiceException.Kind.BUSY;
import static org.wavescope.qupath.ServiceException.Kind.FORBIDDEN;
import static org.wavescope.qupath.ServiceException.Kind.NEW_VERSION;
import static org.wavescope.qupath.ServiceException.Kind.REFUSED;
import static org.wavescope.qupath.ServiceException.Kind.SIGN_IN;
import static org.wavescope.qupath.ServiceException.Kind.UNKNOWN_SLIDE;
import static org.wavescope.qupath.ServiceException.Kind.UNREACHABLE;

/** Requests to one service: with its token, within bounds of time and size, again where it says so (QP8). */
final class Service {
    private static final int CONNECT_MS = 10_000;
    private static final int SILENCE_MS = 60_000;
    private static final int ATTEMPTS = 4;
    private static final int PATIENCE_MS = 30_000;
    private static final int FIRST_PAUSE_MS = 200;
    private static final int MAX_PROBLEM = 1 << 16;

    private final String address;

    /** {@code address}: that of the service, to which alone its token is sent. */
    Service(String address) {
        this.address = address;
    }

    /** The body of an answer, at most {@code max} bytes of it. */
    byte[] get(String url, String accept, int max) throws IOException {
        return request(url, accept, null, null, max);
    }

    JsonObject getJson(String url, int max) throws IOException {
        return json(url, get(url, "application/json", max));
    }

    JsonObject postJson(String url, String type, byte[] body, int max) throws IOException {
        return json(url, request(url, "application/json", type, body, max));
    }

    private JsonObject json(String url, byte[] body) throws ServiceException {
        try {
            return JsonParser.parseString(new String(body, UTF_8)).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException cause) {
            throw new ServiceException(BAD_ANSWER, 200, "This is no answer of Wavescope: " + url, cause);
        }
    }

    private byte[] request(String url, String accept, String type, byte[] body, int max) throws IOException {
        int waited = 0;
        for (int attempt = 1; ; attempt++) {
            var connection = open(url, accept, type);
            try {
                int status = send(connection, body);
                if (status == 200) return read(connection.getInputStream(), max, url);
                var problem = problem(url, status, connection.getErrorStream());
                int pause = pauseMs(connection.getHeaderField("Retry-After"), attempt);
                if (problem.kind != BUSY || attempt == ATTEMPTS || waited + pause > PATIENCE_MS) throw problem;
                waited += sleep(pause);
            } catch (ServiceException cause) {
                throw cause;
            } catch (InterruptedIOException cause) {
                if (Thread.currentThread().isInterrupted()) throw cause;
                throw unreachable(cause);
            } catch (IOException cause) {
                int pause = pauseMs(null, attempt);
                if (attempt == ATTEMPTS) throw unreachable(cause);
                waited += sleep(pause);
            }
        }
    }

    private HttpURLConnection open(String url, String accept, String type) throws IOException {
        var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(SILENCE_MS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Accept", accept);
        Tokens.of(address).ifPresent(token -> connection.setRequestProperty("Authorization", "Bearer " + token));
        if (type != null) connection.setRequestProperty("Content-Type", type);
        return connection;
    }

    private static int send(HttpURLConnection connection, byte[] body) throws IOException {
        if (body != null) {
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (var out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        return connection.getResponseCode();
    }

    private static byte[] read(InputStream from, int max, String url) throws IOException {
        try (from) {
            byte[] found = from.readNBytes(max + 1);
            if (found.length > max) throw new ServiceException(BAD_ANSWER, 200, "The answer has more than " + max + " bytes: " + url);
            return found;
        }
    }

    /** The problem that an answer states (WI30), with what the user can do about it. */
    private ServiceException problem(String url, int status, InputStream from) throws IOException {
        String detail = from == null ? "" : detail(read(from, MAX_PROBLEM, url));
        return switch (status) {
            case 401 -> new ServiceException(SIGN_IN, status, address + " has accounts: a valid personal token is needed. " + detail);
            case 403 -> new ServiceException(FORBIDDEN, status, "The account has no right to this: " + url + ". " + detail);
            case 404 -> new ServiceException(UNKNOWN_SLIDE, status, unknownSlide(url) + detail);
            case 410 -> new ServiceException(NEW_VERSION, status, "The slide has a new version: open it again. " + detail);
            case 429, 503 -> new ServiceException(BUSY, status, address + " has too much to do: try again later. " + detail);
            default -> new ServiceException(
                    status < 400 ? BAD_ANSWER : REFUSED, status, address + " answers " + status + " to " + url + ". " + detail);
        };
    }

    private String unknownSlide(String url) {
        boolean known = Tokens.of(address).isPresent();
        String who = known ? "that the account of the token sees" : "that is visible without a token";
        return "There is no such slide at " + address + " " + who + ": " + url + ". ";
    }

    private static String detail(byte[] body) {
        try {
            return JsonParser.parseString(new String(body, UTF_8)).getAsJsonObject().get("detail").getAsString();
        } catch (RuntimeException cause) { // what answers is something else, such as a proxy
            return "";
        }
    }

    private ServiceException unreachable(IOException cause) {
        return new ServiceException(UNREACHABLE, 0, "No service answers at " + address + ": " + cause.getMessage(), cause);
    }

    private static int pauseMs(String retryAfter, int attempt) {
        boolean stated = retryAfter != null && retryAfter.matches("\\d{1,5}");
        return stated ? Integer.parseInt(retryAfter) * 1000 : FIRST_PAUSE_MS << (attempt - 1);
    }

    private static int sleep(int ms) throws InterruptedIOException {
        try {
            Thread.sleep(ms);
            return ms;
        } catch (InterruptedException cause) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
