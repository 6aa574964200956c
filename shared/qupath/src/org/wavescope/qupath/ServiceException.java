package org.wavescope.qupath;

import java.io.IOException;

/** Why a service did not give what was requested (QP6). {@code status} is that of HTTP, or 0 without an answer. */
public final class ServiceException extends IOException {
    private static final long serialVersionUID = 1;

    /** The causes that a user can do something about, each in its own way. */
    public enum Kind {
        /** No service answers at the address. */
        UNREACHABLE,
        /** The service has accounts, and there is no valid token for it. */
        SIGN_IN,
        /** The account has no right to this. */
        FORBIDDEN,
        /** There is no such slide, or none that the account may see. */
        UNKNOWN_SLIDE,
        /** The slide has another version by now. */
        NEW_VERSION,
        /** The service has too much to do. */
        BUSY,
        /** What is at the address is no answer of Wavescope. */
        BAD_ANSWER,
        /** The service refuses the request for another reason, which it states. */
        REFUSED
    }

    /** The cause. */
    public final Kind kind;

    /** The status of HTTP, or 0. */
    public final int status;

    ServiceException(Kind kind, int status, String message) {
        this(kind, status, message, null);
    }

    ServiceException(Kind kind, int status, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.status = status;
    }
}
