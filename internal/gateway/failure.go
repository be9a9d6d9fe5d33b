package gateway

// This file: what the failures of an upstream mean to the caller (contract 8.8). Their
// texts are passed on cleaned, their bodies never raw.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/edge"
)

var (
	errUnreachable = errors.New("upstream unreachable")
	errTimeout     = errors.New("upstream timeout")

	errNoBox = edge.NewProblem(http.StatusServiceUnavailable, "box_not_configured",
		"No box is configured: call organizations/my, put its box id into PROVIDER_BOX_ID and restart.")
)

func errNotConfigured(label string) *edge.Problem {
	return edge.NewProblem(http.StatusServiceUnavailable, "upstream_not_configured", "The "+label+" is not configured.")
}

func errFailed(label string, cause error) *edge.Problem {
	return edge.NewProblem(http.StatusBadGateway, "upstream_failed", "The "+label+" cannot be reached or gives no usable answer.").Because(cause)
}

// circuitOpen is the answer while the breaker is open: what the upstream gave
// last, only at once.
func (u *upstream) circuitOpen() *edge.Problem {
	cause := errors.New("circuit breaker is open")
	p := errFailed(u.label, cause)
	if u.lastFailure.Load() == http.StatusGatewayTimeout {
		p = u.timedOut(cause)
	}
	p.RetryAfter = breakerPause
	return p
}

func (u *upstream) unavailable() *edge.Problem {
	return edge.NewProblem(http.StatusServiceUnavailable, "upstream_unavailable", "The "+u.label+" is out of service for a while.")
}

// failure names the reason why there is no answer.
func (u *upstream) failure(req *http.Request, body *errRecordingBody, err error) error {
	var tooLarge *http.MaxBytesError
	var timeout net.Error
	switch cause := body.cause(); {
	case errors.As(cause, &tooLarge):
		return edge.ErrTooLarge
	case cause != nil:
		return edge.InvalidField("body", "could not be read to its end").Because(cause)
	case req.Context().Err() != nil:
		return fmt.Errorf("%s: %w", u.name, req.Context().Err())
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return u.timedOut(err)
	default:
		return errFailed(u.label, fmt.Errorf("%w: %w", errUnreachable, err))
	}
}

func (u *upstream) timedOut(err error) *edge.Problem {
	return edge.NewProblem(http.StatusGatewayTimeout, "upstream_timeout", "The "+u.label+" did not answer in time.").
		Because(fmt.Errorf("%w: %w", errTimeout, err))
}

// refusal turns an answer outside 200 to 299 into a problem.
func (u *upstream) refusal(req *http.Request, resp *http.Response) *edge.Problem {
	problem := func(code, fallback string) *edge.Problem {
		text := u.text(req, resp)
		if text == "" {
			text = fallback
		}
		return edge.NewProblem(resp.StatusCode, code, text)
	}
	cause := fmt.Errorf("%s answered %d", u.name, resp.StatusCode)
	switch resp.StatusCode {
	case http.StatusBadRequest:
		p := problem("validation_failed", "The "+u.label+" refuses the request.")
		p.Details = map[string]string{"request": p.Message} // the upstream names no field (contract 7.2)
		return p
	case http.StatusPaymentRequired:
		return edge.NewProblem(resp.StatusCode, "subscription_required", "The box has no paid subscription to the API of the "+u.label+".")
	case http.StatusUnauthorized, http.StatusForbidden:
		return edge.NewProblem(http.StatusBadGateway, "upstream_unauthorized", "The "+u.label+" does not accept the partner credentials for this.").Because(cause)
	case http.StatusNotFound:
		return problem("not_found", "The "+u.label+" does not know it.")
	case http.StatusConflict:
		return problem("conflict", "The state at the "+u.label+" does not allow it.")
	case http.StatusGone:
		return problem("gone", "The "+u.label+" has removed the operation.")
	case http.StatusRequestEntityTooLarge:
		return problem("payload_too_large", "The body is larger than the "+u.label+" takes.")
	case http.StatusUnprocessableEntity:
		return problem("unprocessable", "The "+u.label+" cannot do it.")
	case http.StatusTooManyRequests:
		return comeAgain(edge.NewProblem(resp.StatusCode, "rate_limited", "The "+u.label+" gets too many requests."), resp)
	case http.StatusServiceUnavailable:
		return comeAgain(u.unavailable(), resp)
	case http.StatusGatewayTimeout:
		return u.timedOut(cause)
	default:
		return errFailed(u.label, cause)
	}
}

// comeAgain passes on the upstream's Retry-After, 0 too.
func comeAgain(p *edge.Problem, resp *http.Response) *edge.Problem {
	if wait := secondsToWait(resp); wait != nil {
		p.Header = http.Header{echo.HeaderRetryAfter: {strconv.Itoa(int(*wait))}}
	}
	return p
}

const (
	maxTextBytes = 8 << 10
	maxTextRunes = 1000
)

// credentials are what looks like one whoever's it is.
var credentials = regexp.MustCompile(`(?i)bearer\s+\S+|eyJ[\w-]+\.[\w-]+\.[\w-]*|(access_token|refresh_token|id_token|client_secret|password|apikey|api_key)["']?\s*[=:]\s*["']?[^\s"'&,;]+`)

// text returns what an upstream says about its refusal: plain text, or the
// message of a JSON object; on one line, without credentials, at most 1000
// characters, in the charset that it names. Anything else (a page, say) is not
// passed on.
func (u *upstream) text(req *http.Request, resp *http.Response) string {
	if unpack(resp) != nil {
		return ""
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxTextBytes))
	if err != nil {
		return ""
	}
	contentType := resp.Header.Get("Content-Type")
	mediaType, _, err := mime.ParseMediaType(contentType)
	text := toUTF8(raw, contentType)
	switch {
	case mediaType == "application/json" || strings.HasSuffix(mediaType, "+json"):
		text = messageIn(text)
	case err != nil && contentType != "", mediaType != "" && mediaType != "text/plain":
		return ""
	}
	for _, name := range []string{"Authorization", keyHeader} {
		if secret := strings.TrimPrefix(req.Header.Get(name), "Bearer "); secret != "" {
			text = strings.ReplaceAll(text, secret, "[removed]")
		}
	}
	text = credentials.ReplaceAllString(text, "[removed]")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == ' ' }), " ")
	if runes := []rune(text); len(runes) > maxTextRunes {
		text = string(runes[:maxTextRunes]) + "…"
	}
	return text
}

// messageIn finds the text of a JSON failure.
func messageIn(text string) string {
	var body struct{ Message, Error, Title, Detail any }
	if json.Unmarshal([]byte(text), &body) != nil {
		return ""
	}
	for _, v := range []any{body.Message, body.Detail, body.Title, body.Error} {
		if s, ok := v.(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// retryAfter reads the header, given in seconds or as a date.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	value := resp.Header.Get("Retry-After")
	if value == "" {
		return 0, false // as nearly always
	}
	if strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			seconds = math.MaxInt32 // more than a header of ours can say
		}
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(0, time.Until(at)), math.MaxInt32*time.Second), true
	}
	return 0, false
}
