package edge

// This file: who a request is counted for: the subject of its token, else the
// address that it comes from (contract 7.5).

import (
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/auth"
)

// extractAddress returns how the caller's address is found: the connection's, or,
// when that is one of the proxies, the right-most address of X-Forwarded-For that
// is not. What stands to the left of it is anybody's to write.
func extractAddress(proxies []*net.IPNet) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, network := range proxies {
		trust = append(trust, echo.TrustIPRange(network))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}

// ipv6Network is the part of an IPv6 address that a provider gives to one customer,
// who may use all addresses in it.
const ipv6Network = 64

// addressKey is the address that a request is counted for.
func addressKey(c echo.Context) string {
	text := c.RealIP()
	address, err := netip.ParseAddr(text)
	if err != nil || address.Unmap().Is4() {
		return "addr " + text
	}
	network, err := address.WithZone("").Prefix(ipv6Network)
	if err != nil {
		return "addr " + text
	}
	return "addr " + network.String()
}

// callerKey is the caller that a request is counted for.
func callerKey(c echo.Context, caller auth.Caller) string {
	if caller.Anonymous() {
		return addressKey(c)
	}
	return "sub " + caller.Subject
}
