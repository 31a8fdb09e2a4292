package lines

import "testing"

func TestAreTwoKinds(t *testing.T) {
	for titles, want := range map[[2]string]bool{
		{"user_id", "movieId"}:          true,
		{"Customer_ID", "merchant_id"}:  true,
		{"account", "device"}:           true,
		{"users", "items"}:              true,
		{"CustomerNo", "product_code"}:  true,
		{"item", "person"}:              true,
		{"user_a", "user_b"}:            false,
		{"from_account", "to_account"}:  false,
		{"customer_id", "customer_id2"}: false,
		{"citing", "cited"}:             false,
		{"source", "target"}:            false,
		{"paper", "paper"}:              false,
		{"account", "account"}:          false,
	} {
		if got := AreTwoKinds(titles[0], titles[1]); got != want {
			t.Errorf("%v: %v", titles, got)
		}
	}
}
